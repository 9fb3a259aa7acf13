package dev.headgate.jdbc;

import dev.headgate.spi.Pending;
import dev.headgate.spi.WorkerRow;
import dev.headgate.spi.WorkerTable;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Workers in SQL. The jobs a worker holds stand in its own row, as text: an index over the worker of running jobs was
 * measured to cost a third of the throughput, and only a dead worker's jobs are ever looked up this way.
 */
final class JdbcWorkers implements WorkerTable {
    private static final Shifted NOTHING_AWAITS = new Shifted(false);

    private final Session sql;
    private final boolean mayGuess;
    private Pending<List<Seen>> seen = Pending.of(List.of());

    /** What a worker's row says, read without a lock. */
    private record Seen(long leaseUntil, String holding) {}

    /** @param mayGuess whether the caller tries again without guesses if one was wrong */
    JdbcWorkers(Session sql, boolean mayGuess) {
        this.sql = sql;
        this.mayGuess = mayGuess;
    }

    @Override
    public void insert(WorkerRow worker) {
        sql.call("insert_worker")
                .set("id", worker.id())
                .set("name", worker.name())
                .set("queues", Columns.joined(worker.queues()))
                .set("slots", worker.slots())
                .set("started_at", worker.startedAt())
                .set("lease_until", worker.leaseUntil())
                .set("holding", text(worker.holding()))
                .set("room", worker.room())
                .set("lost_max", worker.lostMax())
                .update();
    }

    @Override
    public boolean extend(String worker, long now, long until) {
        return sql.call("extend_worker")
                        .set("id", worker)
                        .set("now", now)
                        .set("until", until)
                        .update()
                == 1;
    }

    @Override
    public void foresee(String worker) {
        if (mayGuess || !sql.isRemote()) { // a store in this process is locked as a whole: what it says stays true
            seen = sql.call("find_holding").set("id", worker).listLater(row -> new Seen(row.number(), row.text()));
        }
    }

    @Override
    public @Nullable Shifted shift(String worker, Collection<Long> gone, Collection<Long> added, long now) {
        List<Seen> before = gone.isEmpty() ? seen.get() : List.of();
        if (!before.isEmpty() && before.getFirst().leaseUntil() > now) {
            replace(worker, before.getFirst().holding(), added, now);
            return NOTHING_AWAITS;
        }
        Locked locked =
                sql.call("lock_worker").set("id", worker).first(row -> new Locked(row(row), new Shifted(row.flag())));
        if (locked == null || locked.row().leaseUntil() <= now) {
            return null;
        }
        if (!gone.isEmpty() || !added.isEmpty()) {
            Set<Long> holding = new LinkedHashSet<>(locked.row().holding());
            holding.removeAll(gone);
            holding.addAll(added);
            sql.call("save_holding")
                    .set("id", worker)
                    .set("holding", text(holding))
                    .later();
        }
        return locked.shifted();
    }

    /** Only the worker itself writes what it holds, one turn after the other; so this goes wrong only if it is lost meanwhile. */
    private void replace(String worker, String before, Collection<Long> added, long now) {
        if (!added.isEmpty()) {
            List<Long> holding = numbers(before);
            holding.addAll(added);
            sql.call("replace_holding")
                    .set("id", worker)
                    .set("seen", before)
                    .set("holding", text(holding))
                    .set("now", now)
                    .later();
        }
    }

    @Override
    public void publish(String worker, int slots, String room) {
        sql.call("publish_room")
                .set("id", worker)
                .set("slots", slots)
                .set("room", room)
                .update();
    }

    private record Locked(WorkerRow row, Shifted shifted) {}

    @Override
    public List<WorkerRow> expired(long now, int limit) {
        return sql.call("expired_workers").set("now", now).set("limit", limit).list(JdbcWorkers::row);
    }

    @Override
    public @Nullable WorkerRow lock(String worker, @Nullable Long now) {
        WorkerRow row = sql.call("lock_worker").set("id", worker).first(JdbcWorkers::row);
        return row == null || (now != null && row.leaseUntil() > now) ? null : row;
    }

    @Override
    public void delete(String worker) {
        sql.call("delete_worker").set("id", worker).update();
    }

    @Override
    public List<WorkerRow> list() {
        return sql.call("list_workers").list(JdbcWorkers::row);
    }

    private static WorkerRow row(Row row) throws SQLException {
        return new WorkerRow(
                row.text(),
                row.text(),
                Columns.split(row.text()),
                row.integer(),
                row.number(),
                row.number(),
                numbers(row.text()),
                row.text(),
                row.integer());
    }

    /**
     * Each as its distance from the one before, in rising order: jobs that start together have ids close together, so a
     * thousand of them need two kilobytes and not ten, which PostgreSQL would compress and move to a table of their own in
     * every turn.
     */
    static String text(Collection<Long> numbers) {
        StringJoiner text = new StringJoiner(" ");
        long before = 0;
        for (long number : new TreeSet<>(numbers)) {
            text.add(Long.toString(number - before));
            before = number;
        }
        return text.toString();
    }

    static List<Long> numbers(String text) {
        List<Long> numbers = new ArrayList<>();
        long number = 0;
        for (int from = 0; from < text.length(); ) {
            int space = text.indexOf(' ', from);
            int to = space < 0 ? text.length() : space;
            number += Long.parseLong(text, from, to, 10);
            numbers.add(number);
            from = to + 1;
        }
        return numbers;
    }
}
