package dev.headgate.admission;

/** What valid leases hold of a gate now. */
final class InUse {
    long leases;
    long units;

    InUse(long leases, long units) {
        this.leases = leases;
        this.units = units;
    }

    /** Capacity set aside for a lane that waits for another gate: whoever else asks must leave that much. */
    record Aside(long leases, long units) {
        static final Aside NOTHING = new Aside(0, 0);
    }
}
