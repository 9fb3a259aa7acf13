package dev.headgate.proof.simulation;

import dev.headgate.limit.GateKey;
import dev.headgate.spi.GateRow;
import dev.headgate.spi.GateTable;
import dev.headgate.spi.Pending;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Gates; tells the checkers what is written, and what the locks of others keep away. */
record WatchedGates(GateTable gates, Changes changes, Tracks tracks, BooleanSupplier isLocked, Runnable waiting)
        implements GateTable {
    @Override
    public Pending<List<GateRow>> lock(SortedSet<GateKey> keys) {
        waiting.run();
        return gates.lock(keys);
    }

    @Override
    public List<GateRow> lock(SortedSet<GateKey> keys, SortedSet<GateKey> others) {
        if (!keys.isEmpty()) {
            waiting.run();
        }
        SortedSet<GateKey> free = new TreeSet<>(others);
        free.removeIf(key -> isLocked.getAsBoolean());
        return gates.lock(keys, free);
    }

    @Override
    public List<GateRow> lockFree(SortedSet<GateKey> keys) {
        SortedSet<GateKey> free = new TreeSet<>(keys);
        free.removeIf(key -> isLocked.getAsBoolean());
        return gates.lockFree(free);
    }

    @Override
    public void delete(SortedSet<GateKey> keys) {
        gates.delete(keys);
        changes.addLast(() -> keys.forEach(key -> tracks.gates().deleted(key, tracks.now())));
    }

    @Override
    public void save(List<GateRow> rows) {
        gates.save(rows);
        changes.addLast(() ->
                rows.forEach(row -> tracks.gates().saved(row, tracks.commit().begun(), tracks.now())));
    }

    @Override
    public Pending<List<Opening>> openings(long until, int limit, int more) {
        return gates.openings(until, limit, more);
    }

    @Override
    public @Nullable Long nextWake() {
        return gates.nextWake();
    }

    @Override
    public List<GateRow> findAll(Collection<GateKey> keys) {
        return gates.findAll(keys);
    }

    @Override
    public List<GateRow> queuesInUse() {
        return gates.queuesInUse();
    }

    @Override
    public List<GateRow> list(@Nullable GateKey after, int limit) {
        return gates.list(after, limit);
    }
}
