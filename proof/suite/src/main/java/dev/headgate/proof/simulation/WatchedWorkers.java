package dev.headgate.proof.simulation;

import dev.headgate.spi.WorkerRow;
import dev.headgate.spi.WorkerTable;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The workers of one transaction; tells how their leases go. */
final class WatchedWorkers implements WorkerTable {
    private final WorkerTable workers;
    private final Changes changes;
    private final WorkerLeases leases;
    private boolean isReaping;

    WatchedWorkers(WorkerTable workers, Changes changes, WorkerLeases leases) {
        this.workers = workers;
        this.changes = changes;
        this.leases = leases;
    }

    /** Whether this transaction takes jobs from a worker that does not bring them. */
    boolean isReaping() {
        return isReaping;
    }

    @Override
    public void insert(WorkerRow worker) {
        workers.insert(worker);
        changes.add(() -> leases.registered(worker));
    }

    @Override
    public boolean extend(String worker, long now, long until) {
        boolean isExtended = workers.extend(worker, now, until);
        if (isExtended) {
            changes.add(() -> leases.extended(worker, until));
        }
        return isExtended;
    }

    @Override
    public @Nullable Shifted shift(String worker, Collection<Long> gone, Collection<Long> added, long now) {
        Shifted shifted = workers.shift(worker, gone, added, now);
        if (shifted != null) {
            changes.add(() -> leases.shifted(worker));
        }
        return shifted;
    }

    @Override
    public @Nullable WorkerRow lock(String worker, @Nullable Long now) {
        WorkerRow row = workers.lock(worker, now);
        if (row != null) {
            isReaping = true;
            changes.add(() -> leases.taken(worker, now == null));
        }
        return row;
    }

    @Override
    public void delete(String worker) {
        workers.delete(worker);
        changes.add(() -> leases.gone(worker));
    }

    @Override
    public void publish(String worker, int slots, String room) {
        workers.publish(worker, slots, room);
    }

    @Override
    public List<WorkerRow> expired(long now, int limit) {
        return workers.expired(now, limit);
    }

    @Override
    public List<WorkerRow> list() {
        return workers.list();
    }
}
