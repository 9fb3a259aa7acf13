package dev.headgate.internal.admission;

/** Counts how many jobs of one cost could start at a gate, one after the other; tries it on a copy. */
final class StartableCount {
    private StartableCount() {}

    /** Starts jobs until one may not start: for any gate. */
    static int oneByOne(GateLedger trial, Waiter asker, long now, int max) {
        for (int room = 0; room < max; room++) {
            long next = trial.next(asker, now);
            if (next != GateLedger.AT_ONCE) {
                return room(room, next);
            }
            trial.take(asker, now);
        }
        return max;
    }

    /**
     * The same for a gate where a start changes nothing but what is in use: then many starts are one sum, and a binary
     * search finds the first that may not start. A worker with thousands of free slots asks this in every turn.
     */
    static int counted(GateLedger trial, Waiter asker, long now, int max) {
        InUse use = trial.inUse;
        long leases = use.leases;
        long units = use.units;
        int passing = 0;
        int unknown = max;
        while (passing < unknown) {
            // The last one first: in most cases all may start.
            int tried = unknown == max ? max - 1 : (passing + unknown) / 2;
            use.leases = leases + tried;
            use.units = units + tried * asker.cost();
            if (trial.next(asker, now) == GateLedger.AT_ONCE) {
                passing = tried + 1;
            } else {
                unknown = tried;
            }
        }
        if (passing >= max) {
            return max;
        }
        use.leases = leases + passing;
        use.units = units + passing * asker.cost();
        return room(passing, trial.next(asker, now));
    }

    /** A job that can never fit counts as one, so that it is taken out of the line and set aside. */
    private static int room(int passing, long next) {
        return next == GateLedger.NEVER ? passing + 1 : passing;
    }
}
