package dev.headgate.internal.claim;

import dev.headgate.internal.dependency.DependencyStore;
import dev.headgate.internal.figure.FigureFlush;
import dev.headgate.internal.figure.FigureRecorder;
import dev.headgate.internal.lane.ExpiryDueException;
import dev.headgate.internal.lease.OpenTurn;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.internal.lease.WorkerLostException;
import dev.headgate.internal.policy.PolicyStore;
import dev.headgate.internal.time.Ticker;
import dev.headgate.spi.Backend;

/** Runs turnarounds, with what must be done before and after each in transactions of its own. */
public final class Turns {
    /** How often expired jobs are ended for one turn. Those that other transactions have locked are left to these. */
    private static final int EXPIRIES_MAX = 3;

    private final Backend backend;
    private final Ticker ticker;
    private final PolicyStore policies;
    private final DependencyStore dependencies;
    private final FigureRecorder figures;
    private final TurnMemory memory = new TurnMemory();

    public Turns(
            Backend backend,
            Ticker ticker,
            PolicyStore policies,
            DependencyStore dependencies,
            FigureRecorder figures) {
        this.backend = backend;
        this.ticker = ticker;
        this.policies = policies;
        this.dependencies = dependencies;
        this.figures = figures;
    }

    public Turn take(TurnRequest request) {
        Turn turn;
        try {
            turn = decide(request);
        } catch (WorkerLostException lost) {
            figures.gone(request.worker());
            throw lost;
        }
        figures.turned(request, turn);
        if (!turn.wakes().isEmpty()) {
            backend.publish(turn.wakes());
        }
        if (turn.left().isLookDue()) {
            dependencies.look();
        }
        return turn;
    }

    private Turn decide(TurnRequest request) {
        for (int expiries = 0; ; expiries++) {
            boolean mayExpire = expiries < EXPIRIES_MAX;
            try (FigureFlush flush = figures.flush()) {
                Turn turn = policies.turn(tx -> {
                    OpenTurn decided = Turnaround.run(tx, ticker, memory, request, mayExpire);
                    flush.into(tx, decided.turn().noted().at());
                    return decided;
                });
                flush.done();
                return turn;
            } catch (ExpiryDueException due) {
                expire();
            }
        }
    }

    private void expire() {
        Expire.Expired expired;
        do {
            expired = backend.write(Expire::run);
            if (!expired.wakes().isEmpty()) {
                backend.publish(expired.wakes());
            }
        } while (expired.isMore());
    }
}
