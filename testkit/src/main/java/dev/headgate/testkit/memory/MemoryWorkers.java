package dev.headgate.testkit.memory;

import dev.headgate.spi.WorkerRow;
import dev.headgate.spi.WorkerTable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Workers by id, and in the order in which their leases end. */
final class MemoryWorkers implements WorkerTable {
    private final Ordered<Boolean, WorkerRow> byEnd = new Ordered<>(row -> true, MemoryWorkers::byEnd);
    private final Rows<String, WorkerRow> workers;

    private final MemoryEdges edges;

    MemoryWorkers(Journal journal, MemoryEdges edges) {
        this.edges = edges;
        this.workers = new Rows<>(journal, WorkerRow::id, List.of(byEnd));
    }

    private static int byEnd(WorkerRow one, WorkerRow other) {
        int first = Long.compare(one.leaseUntil(), other.leaseUntil());
        return first != 0 ? first : one.id().compareTo(other.id());
    }

    @Override
    public void insert(WorkerRow worker) {
        if (workers.get(worker.id()) != null) {
            throw new IllegalStateException("worker %s: registered twice".formatted(worker.id()));
        }
        workers.put(worker);
    }

    @Override
    public boolean extend(String worker, long now, long until) {
        WorkerRow row = lease(worker, now);
        if (row != null) {
            workers.put(row(row, row.slots(), until, row.holding(), row.room()));
        }
        return row != null;
    }

    @Override
    public @Nullable Shifted shift(String worker, Collection<Long> gone, Collection<Long> added, long now) {
        WorkerRow row = lease(worker, now);
        if (row == null) {
            return null;
        }
        if (!gone.isEmpty() || !added.isEmpty()) {
            Set<Long> holding = new TreeSet<>(row.holding());
            gone.forEach(holding::remove);
            holding.addAll(added);
            workers.put(row(row, row.slots(), row.leaseUntil(), new ArrayList<>(holding), row.room()));
        }
        return new Shifted(edges.isAny());
    }

    /** The worker's row if its lease has not ended. */
    private @Nullable WorkerRow lease(String worker, long now) {
        WorkerRow row = workers.get(worker);
        return row != null && row.leaseUntil() > now ? row : null;
    }

    @Override
    public void publish(String worker, int slots, String room) {
        WorkerRow row = workers.get(worker);
        if (row != null) {
            workers.put(row(row, slots, row.leaseUntil(), row.holding(), room));
        }
    }

    private static WorkerRow row(WorkerRow row, int slots, long leaseUntil, List<Long> holding, String room) {
        return new WorkerRow(
                row.id(),
                row.name(),
                row.queues(),
                slots,
                row.startedAt(),
                leaseUntil,
                List.copyOf(holding),
                room,
                row.lostMax());
    }

    @Override
    public List<WorkerRow> expired(long now, int limit) {
        List<WorkerRow> expired = new ArrayList<>();
        for (WorkerRow row : byEnd.in(true)) {
            if (row.leaseUntil() > now || expired.size() >= limit) {
                break;
            }
            expired.add(row);
        }
        return expired;
    }

    @Override
    public @Nullable WorkerRow lock(String worker, @Nullable Long now) {
        WorkerRow row = workers.get(worker);
        return row == null || now == null || row.leaseUntil() <= now ? row : null;
    }

    @Override
    public void delete(String worker) {
        workers.remove(worker);
    }

    @Override
    public List<WorkerRow> list() {
        return workers.all().values().stream()
                .sorted(Comparator.comparingLong(WorkerRow::startedAt).thenComparing(WorkerRow::id))
                .toList();
    }
}
