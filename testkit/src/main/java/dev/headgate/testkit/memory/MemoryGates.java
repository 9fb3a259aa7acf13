package dev.headgate.testkit.memory;

import dev.headgate.limit.GateKey;
import dev.headgate.spi.GateRow;
import dev.headgate.spi.GateTable;
import dev.headgate.spi.JournalTable.Expired;
import dev.headgate.spi.Pending;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Gates, with those that wait for time in the order of their wake-up. */
final class MemoryGates implements GateTable {
    private final Ordered<Boolean, GateRow> byWake =
            new Ordered<>(row -> row.wakeAt() == null ? null : Boolean.TRUE, MemoryGates::byWake);
    private final Rows<GateKey, GateRow> gates;
    private final Rows<GateKey, Expired> pruned;

    MemoryGates(Journal journal) {
        this.gates = new Rows<>(journal, GateRow::key, List.of(byWake));
        this.pruned = new Rows<>(journal, Expired::gate, List.of());
    }

    private static int byWake(GateRow one, GateRow other) {
        int first = Long.compare(wakeAt(one), wakeAt(other));
        return first != 0 ? first : one.key().compareTo(other.key());
    }

    private static long wakeAt(GateRow row) {
        return Objects.requireNonNull(row.wakeAt());
    }

    @Override
    public Pending<List<GateRow>> lock(SortedSet<GateKey> keys) {
        List<GateRow> locked = new ArrayList<>();
        for (GateKey key : keys) {
            GateRow row = gates.get(key);
            if (row == null) {
                row = GateRow.fresh(key);
                gates.put(row);
            }
            locked.add(row);
        }
        return Pending.of(locked);
    }

    @Override
    public List<GateRow> lock(SortedSet<GateKey> keys, SortedSet<GateKey> others) {
        SortedSet<GateKey> all = new TreeSet<>(keys);
        all.addAll(others);
        return lock(all).get();
    }

    @Nullable
    GateRow find(GateKey key) {
        return gates.get(key);
    }

    /** The last entry of its journal that was deleted in its time: a part of the gate's row, and gone with it. */
    @Nullable
    Expired pruned(GateKey key) {
        return pruned.get(key);
    }

    /** An earlier one changes nothing, nor one beyond the end of the journal. */
    void anchor(Expired last) {
        GateRow row = gates.get(last.gate());
        Expired known = pruned.get(last.gate());
        boolean isWithin = row != null && last.number() <= row.journal().count();
        if (isWithin && (known == null || known.number() < last.number())) {
            pruned.put(last);
        }
    }

    /** Those that have had entries in their journals. */
    Stream<GateKey> journaled() {
        return gates.all().values().stream()
                .filter(row -> row.journal().count() > 0)
                .map(GateRow::key);
    }

    @Override
    public List<GateRow> lockFree(SortedSet<GateKey> keys) {
        return findAll(keys);
    }

    @Override
    public void delete(SortedSet<GateKey> keys) {
        keys.forEach(gates::remove);
        keys.forEach(pruned::remove);
    }

    @Override
    public void save(List<GateRow> rows) {
        rows.forEach(gates::put);
    }

    @Override
    public Pending<List<Opening>> openings(long until, int limit, int more) {
        List<Opening> openings = new ArrayList<>();
        int due = 0;
        int later = 0;
        for (GateRow row : byWake.in(Boolean.TRUE)) {
            boolean isDue = wakeAt(row) <= until;
            if (!isDue && later >= more) {
                break;
            }
            // The first of all that do not open until then stand behind those that do, however many these are.
            if (isDue ? due < limit : later < more) {
                openings.add(new Opening(row.key(), wakeAt(row)));
            }
            due += isDue ? 1 : 0;
            later += isDue ? 0 : 1;
        }
        return Pending.of(openings);
    }

    @Override
    public @Nullable Long nextWake() {
        GateRow first = byWake.first(Boolean.TRUE);
        return first == null ? null : first.wakeAt();
    }

    @Override
    public List<GateRow> findAll(Collection<GateKey> keys) {
        return new TreeSet<>(keys)
                .stream().map(gates::get).filter(Objects::nonNull).toList();
    }

    @Override
    public List<GateRow> queuesInUse() {
        return gates.all().values().stream()
                .filter(row -> row.key().scope() == GateKey.Scope.QUEUE && row.leases() + row.units() > 0)
                .toList();
    }

    @Override
    public List<GateRow> list(@Nullable GateKey after, int limit) {
        NavigableMap<GateKey, GateRow> page =
                after == null ? gates.all() : gates.all().tailMap(after, false);
        return page.values().stream().limit(limit).toList();
    }
}
