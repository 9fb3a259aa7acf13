package dev.headgate.internal.admission;

/** What valid leases hold of a gate now. */
final class InUse {
    private static final long UNITS_MAX = Long.MAX_VALUE / 4;

    long leases;
    long units;

    InUse(long leases, long units) {
        this.leases = leases;
        this.units = units;
    }

    /** Saturates, so that a sum with a job's cost cannot overflow. */
    void add(long more) {
        units = Math.min(UNITS_MAX, units + Math.min(UNITS_MAX, more));
    }

    /** Capacity set aside for a lane that waits for another gate: every other lane must leave this much. */
    record KeptFree(long leases, long units) {
        static final KeptFree NOTHING = new KeptFree(0, 0);
    }
}
