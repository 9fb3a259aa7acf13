package dev.headgate.transition;

import dev.headgate.store.Backend;
import dev.headgate.time.Ticker;

/** Takes turns, each with what must be done before it and after it in transactions of their own. */
final class Turns {
    /** How often what has expired is ended for one turn; what others hold is left to them. */
    private static final int EXPIRIES_MAX = 3;

    private final Backend backend;
    private final Ticker ticker;
    private final PolicyStore policies;
    private final DependencyStore dependencies;
    private final TurnMemory memory = new TurnMemory();

    Turns(Backend backend, Ticker ticker, PolicyStore policies, DependencyStore dependencies) {
        this.backend = backend;
        this.ticker = ticker;
        this.policies = policies;
        this.dependencies = dependencies;
    }

    Turn take(TurnRequest request) {
        Turn turn = decide(request);
        if (!turn.wakes().isEmpty()) {
            backend.publish(turn.wakes());
        }
        if (turn.isLookDue()) {
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
