package dev.headgate.testkit.memory;

import dev.headgate.limit.GateKey;
import dev.headgate.spi.GateRow;
import dev.headgate.spi.JournalChain;
import dev.headgate.spi.JournalTable;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The admission journal. */
final class MemoryEvidence implements JournalTable {
    private final Journal journal;
    private final Rows<Long, Entry> entries;
    private final MemoryGates gates;
    private long lastId;

    MemoryEvidence(Journal journal, MemoryGates gates) {
        this.gates = gates;
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
        TreeSet<GateKey> found = new TreeSet<>();
        entries.all().values().forEach(entry -> found.add(entry.gate()));
        gates.journaled()
                .filter(gate -> standing(gate).chain().count() > standing(gate).pruned())
                .forEach(found::add);
        return List.copyOf(found);
    }

    @Override
    public Standing standing(GateKey gate) {
        GateRow row = gates.find(gate);
        Expired last = gates.pruned(gate);
        JournalChain chain = row == null ? JournalChain.NONE : row.journal();
        return last == null ? new Standing(chain, 0, "") : new Standing(chain, last.number(), last.hash());
    }

    @Override
    public List<Expired> lockExpired(long now, int limit) {
        return entries.all().values().stream()
                .filter(entry -> entry.link().keepUntil() < now)
                .sorted(Comparator.comparingLong((Entry entry) -> entry.link().keepUntil())
                        .thenComparingLong(Entry::id))
                .limit(limit)
                .map(entry -> new Expired(
                        entry.id(),
                        entry.gate(),
                        entry.link().number(),
                        entry.link().hash()))
                .toList();
    }

    @Override
    public void delete(Collection<Long> ids) {
        ids.forEach(entries::remove);
    }

    @Override
    public void anchor(List<Expired> last) {
        for (Expired entry : last) {
            Expired before = gates.pruned(entry.gate());
            if (before == null || before.number() < entry.number()) {
                gates.anchor(entry);
            }
        }
    }

    @Override
    public Set<GateKey> withEntries(Collection<GateKey> gates) {
        Set<GateKey> found = new HashSet<>(gates);
        found.retainAll(gates());
        return found;
    }
}
