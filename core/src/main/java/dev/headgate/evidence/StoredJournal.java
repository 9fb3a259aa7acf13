package dev.headgate.evidence;

import dev.headgate.admission.GateKey;
import dev.headgate.store.Backend;
import dev.headgate.store.JournalTable.Entry;
import dev.headgate.store.JournalTable.Standing;
import java.util.List;

/** The journal of one gate in a store, page by page. */
public record StoredJournal(Backend backend, GateKey gate) implements Journal {
    private static final int PAGE = 10_000;

    @Override
    public List<Entry> after(long id) {
        return backend.read(tx -> tx.journal().read(gate, id, PAGE));
    }

    @Override
    public Standing standing() {
        return backend.read(tx -> tx.journal().standing(gate));
    }
}
