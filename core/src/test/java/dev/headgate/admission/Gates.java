package dev.headgate.admission;

import dev.headgate.admission.GateLedger.Waiter;
import dev.headgate.admission.Limit.Ask;

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
        return new GateLedger(key, new GatePolicy(LimitText.parseAll(limits)), GateState.NEW);
    }

    static GateState inUse(long leases, long units) {
        return GateState.NEW.withLeases(leases, units);
    }

    static Ask cost(long units) {
        return Ask.of(units);
    }

    static Waiter waiter(String lane, long rank) {
        return new Waiter(lane, rank, 1);
    }

    static Waiter waiter(String lane, long rank, long cost) {
        return new Waiter(lane, rank, cost);
    }
}
