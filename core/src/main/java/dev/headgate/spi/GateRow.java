package dev.headgate.spi;

import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.admission.GateState;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.limit.GateKey;
import org.jspecify.annotations.Nullable;

/** A gate as stored: counts in use, the memory of its buckets, when time will move its line, and how far its journal goes. */
public record GateRow(
        GateKey key,
        long leases,
        long units,
        String memory,
        @Nullable Long wakeAt,
        JournalChain journal) {
    public static GateRow fresh(GateKey key) {
        return new GateRow(key, 0, 0, "", null, JournalChain.NONE);
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

    public static GateRow of(GateLedger ledger, @Nullable Long wakeAt, JournalChain journal) {
        GateState state = ledger.state();
        return new GateRow(ledger.key(), state.leases(), state.units(), state.memory(), wakeAt, journal);
    }

    /** The same with a journal that goes so far. */
    public GateRow withJournal(JournalChain other) {
        return new GateRow(key, leases, units, memory, wakeAt, other);
    }

    /** The same with these counts. */
    public GateRow withUse(long leasesInUse, long unitsInUse) {
        return new GateRow(key, leasesInUse, unitsInUse, memory, wakeAt, journal);
    }
}
