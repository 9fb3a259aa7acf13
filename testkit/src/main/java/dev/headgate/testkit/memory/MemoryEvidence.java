package dev.headgate.testkit.memory;

import dev.headgate.admission.GateKey;
import dev.headgate.store.JournalTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The admission journal. */
final class MemoryEvidence implements JournalTable {
    private final Journal journal;
    private final Rows<Long, Entry> entries;
    private long lastId;

    MemoryEvidence(Journal journal) {
        this.journal = journal;
        this.entries = new Rows<>(journal, Entry::id, List.of());
    }

    @Override
    public void append(List<Entry> added) {
        for (Entry entry : added) {
            long before = lastId;
            lastId++;
            journal.note(() -> lastId = before);
            entries.put(entry.withId(lastId));
        }
    }

    @Override
    public List<Entry> read(GateKey gate, long after, int limit) {
        return entries.all().tailMap(after, false).values().stream()
                .filter(entry -> entry.gate().equals(gate))
                .limit(limit)
                .toList();
    }

    @Override
    public List<GateKey> gates() {
        TreeSet<GateKey> gates = new TreeSet<>();
        entries.all().values().forEach(entry -> gates.add(entry.gate()));
        return List.copyOf(gates);
    }

    @Override
    public int prune(long now, int limit) {
        List<Long> gone = new ArrayList<>();
        entries.all().values().stream()
                .filter(entry -> entry.keepUntil() < now)
                .limit(limit)
                .forEach(entry -> gone.add(entry.id()));
        gone.forEach(entries::remove);
        return gone.size();
    }

    @Override
    public Set<GateKey> withEntries(Collection<GateKey> gates) {
        Set<GateKey> found = new HashSet<>(gates);
        found.retainAll(gates());
        return found;
    }
}
