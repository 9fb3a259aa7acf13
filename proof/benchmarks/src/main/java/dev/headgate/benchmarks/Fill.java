package dev.headgate.benchmarks;

import dev.headgate.job.Lane;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fills the tables of a store from within the database: millions of rows in a minute, where enqueueing and running them
 * would take an hour. Jobs wait in the queue {@code q}, in a lane and behind a gate for each key; the one place of
 * every gate counts as taken, though no job holds it.
 */
final class Fill implements AutoCloseable {
    private static final int CHUNK = 500_000;

    private final boolean isSqlite;
    private final Connection connection;

    /** The store's tables must be there. */
    Fill(String url) {
        this.isSqlite = url.startsWith("jdbc:sqlite:");
        try {
            this.connection = DriverManager.getConnection(url);
            connection.setAutoCommit(false);
            if (!isSqlite) {
                run("set synchronous_commit = off");
            }
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** Jobs that are blocked, over so many keys. */
    Fill blocked(long jobs, int keys) {
        return waiting(jobs, keys, null);
    }

    /** Jobs that wait in the line of one gate, in a lane for each of so many keys. */
    Fill inLine(long jobs, int keys, String gate) {
        return waiting(jobs, keys, gate);
    }

    private Fill waiting(long jobs, int keys, @Nullable String gate) {
        keys(keys, gate);
        long first = nextJob();
        for (long from = 0; from < jobs; from += CHUNK) {
            run("""
                insert into headgate_job (
                    id, queue, gates, lane, type, payload, cost, priority, front, rank, state, enqueued_at, run_at, attempt,
                    attempts_max, lost, epoch, cancel_requested, capped_queue
                )
                select
                    %1$d + s.g, 'q', k.gates, k.lane, 'type' || (s.g %% 7), '{"text":"some twenty bytes"}', '1', 0, 0, %1$d + s.g, 'QUEUED', 1, 1, 0, 3, 0, 0, 0, 0
                from %2$s
                join fill_key k on k.i = s.g %% %3$d
                """.formatted(first, series(from, Math.min(jobs, from + CHUNK) - 1), keys));
        }
        moveSequence(first + jobs);
        run("""
            insert into headgate_lane (id, queue, gates, state, rank, cost, waiting_at, since, passes, share)
            select lane, 'q', gates, 'WAITING', %d + i, '1', waiting_at, 1, 0, ''
            from fill_key
            """.formatted(first));
        run("""
            insert into headgate_gate (key, leases, units, memory, wake_at)
            select distinct waiting_at, 1, 1, '', cast(null as %s)
            from fill_key
            """.formatted(isSqlite ? "integer" : "bigint"));
        return this;
    }

    /** Jobs without gates that could start. */
    Fill plain(long jobs) {
        return plain(jobs, "QUEUED", 1);
    }

    /** Jobs without gates that are due in many years. */
    Fill scheduled(long jobs) {
        return plain(jobs, "SCHEDULED", 4_000_000_000_000_000L);
    }

    private Fill plain(long jobs, String state, long due) {
        long first = nextJob();
        run("""
            insert into headgate_job (
                id, queue, gates, lane, type, payload, cost, priority, front, rank, state, enqueued_at, run_at, attempt, attempts_max,
                lost, epoch, cancel_requested, capped_queue
            )
            select
                %d + s.g, 'q', '', '%s', 'noop', '{"n":1}', '1', 0, 0, %1$d + s.g, '%s', 1, %d, 0, 3, 0, 0, 0, 0
            from %s
            """.formatted(first, new Lane("q", List.of()).id(), state, due, series(0, jobs - 1)));
        moveSequence(first + jobs);
        return this;
    }

    /** Jobs that have ended, one in a hundred of them failed. */
    Fill ended(long jobs) {
        return ended(jobs, 100);
    }

    /** Jobs that have failed. */
    Fill failed(long jobs) {
        return ended(jobs, 1);
    }

    private Fill ended(long jobs, int oneFails) {
        long first = nextJob();
        for (long from = 1; from <= jobs; from += CHUNK) {
            run("""
                insert into headgate_history (
                    id, queue, gates, lane, type, payload, cost, priority, front, rank, state, enqueued_at, run_at, started_at, attempt,
                    attempts_max, lost, epoch, worker, finished_at
                )
                select
                    %1$d + s.g, 'q', '', '', 'type' || (s.g %% 7), '{"text":"some twenty bytes"}', '1', 0, 0, s.g,
                    case when s.g %% %3$d = 0 then 'FAILED' else 'SUCCEEDED' end, s.g, s.g, s.g, 1, 3, 0, 1, 'worker', s.g
                from %2$s
                """.formatted(first, series(from, Math.min(jobs, from + CHUNK - 1)), oneFails));
        }
        moveSequence(first + jobs);
        return this;
    }

    /** What a database does by and by: it looks at what is there, and tidies up. */
    Fill settled() {
        try {
            connection.commit();
            connection.setAutoCommit(true);
            run(isSqlite ? "pragma wal_checkpoint(truncate)" : "vacuum analyze");
            connection.setAutoCommit(false);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
        return this;
    }

    private void keys(int keys, @Nullable String gate) {
        run("drop table if exists fill_key");
        run("create temporary table fill_key"
                + " (i integer primary key, gates text not null, lane text not null, waiting_at text not null)");
        try (PreparedStatement insert =
                connection.prepareStatement("insert into fill_key (i, gates, lane, waiting_at) values (?, ?, ?, ?)")) {
            for (int i = 0; i < keys; i++) {
                Lane lane = new Lane("q", gate == null ? List.of("k" + i) : List.of("t" + i, gate));
                insert.setInt(1, i);
                insert.setString(2, String.join("\n", lane.gates()));
                insert.setString(3, lane.id());
                insert.setString(4, "gate:" + (gate == null ? "k" + i : gate));
                insert.addBatch();
            }
            insert.executeBatch();
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private String series(long from, long to) {
        return isSqlite
                ? "(with recursive n (g) as (select %d union all select g + 1 from n where g < %d) select g from n) s"
                        .formatted(from, to)
                : "generate_series(%d::bigint, %d::bigint) as s (g)".formatted(from, to);
    }

    private long nextJob() {
        String sql = isSqlite
                ? "select coalesce((select seq from sqlite_sequence where name = 'headgate_job'), 0) + 1"
                : "select nextval('headgate_job_id')";
        try (Statement statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private void moveSequence(long to) {
        run(
                isSqlite
                        ? "update sqlite_sequence set seq = %d where name = 'headgate_job'".formatted(to)
                        : "select setval('headgate_job_id', %d)".formatted(to));
    }

    private void run(String sql) {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failed) {
            throw new IllegalStateException(sql, failed);
        }
    }

    @Override
    public void close() {
        try {
            connection.commit();
            connection.close();
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
