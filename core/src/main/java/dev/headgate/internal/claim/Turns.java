package dev.headgate.internal.claim;

import dev.headgate.internal.dependency.DependencyStore;
import dev.headgate.internal.lane.ExpiryDueException;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.lease.TurnRequest;
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
    private final TurnMemory memory = new TurnMemory();

    public Turns(Backend backend, Ticker ticker, PolicyStore policies, DependencyStore dependencies) {
        this.backend = backend;
        this.ticker = ticker;
        this.policies = policies;
        this.dependencies = dependencies;
    }

    public Turn take(TurnRequest request) {
        Turn turn = decide(request);
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
            try {
                return policies.turn(tx -> Turnaround.run(tx, ticker, memory, request, mayExpire));
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
