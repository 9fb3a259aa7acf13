package dev.headgate.testkit.memory;

import dev.headgate.admission.GateKey;
import dev.headgate.admission.GatePolicy;
import dev.headgate.admission.PolicyBook;
import dev.headgate.store.PolicyTable;

/** The policies at their present version. */
final class MemoryPolicies implements PolicyTable {
    private final Journal journal;
    private PolicyBook book = PolicyBook.EMPTY;

    MemoryPolicies(Journal journal) {
        this.journal = journal;
    }

    PolicyBook book() {
        return book;
    }

    @Override
    public void lockForChange() {
        // One transaction at a time: there is nobody to wait for.
    }

    @Override
    public long put(GateKey key, GatePolicy policy, long now) {
        PolicyBook before = book;
        book = before.with(key, policy, before.version() + 1);
        journal.note(() -> book = before);
        return book.version();
    }
}
