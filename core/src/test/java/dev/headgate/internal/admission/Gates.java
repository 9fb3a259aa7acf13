package dev.headgate.internal.admission;

import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;

/** Short words for the tests of this package. */
final class Gates {
    static final long SECOND = Micros.PER_SECOND;

    private Gates() {}

    static GateLedger gate(String name, String limits) {
        return ledger(GateKey.gate(name), limits);
    }

    static GateLedger queue(String name, String limits) {
        return ledger(GateKey.queue(name), limits);
    }

    private static GateLedger ledger(GateKey key, String limits) {
        return new GateLedger(key, GatePolicy.parse(limits), GateState.NEW);
    }

    static InUse inUse(long leases, long units) {
        return new InUse(leases, units);
    }

    static Waiter waiter(String lane, long rank) {
        return new Waiter(lane, rank, 1);
    }

    static Waiter waiter(String lane, long rank, long cost) {
        return new Waiter(lane, rank, cost);
    }
}
