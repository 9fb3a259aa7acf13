package dev.headgate.store;

import dev.headgate.admission.GateKey;
import dev.headgate.admission.GateLedger;
import dev.headgate.admission.GateState;
import dev.headgate.admission.PolicyBook;
import org.jspecify.annotations.Nullable;

/** A gate as stored: counts in use, the memory of its buckets, and when time will move its line. */
public record GateRow(
        GateKey key,
        long leases,
        long units,
        String memory,
        @Nullable Long wakeAt) {
    public static GateRow fresh(GateKey key) {
        return new GateRow(key, 0, 0, "", null);
    }

    /** The working copy, by the policies and pauses of this book. */
    public GateLedger ledger(PolicyBook book, long now) {
        GateLedger ledger =
                GateLedger.restore(key, book.policyFor(key), new GateState.Stored(leases, units, memory), now);
        if (book.isPaused(key)) {
            ledger.pause();
        } else {
            ledger.resume();
        }
        return ledger;
    }

    public static GateRow of(GateLedger ledger, @Nullable Long wakeAt) {
        GateState state = ledger.state();
        return new GateRow(ledger.key(), state.leases(), state.units(), state.memory(), wakeAt);
    }
}
