package dev.headgate.benchmarks;

import dev.headgate.internal.job.JobStore;
import dev.headgate.job.Cost;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Pause;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * The same slots in more and more worker processes, over gates that all of them share. The processes are warm: each has run
 * jobs of the same kind before.
 */
final class Processes {
    private static final int JOBS = Integer.getInteger("jobs", 24_000);
    private static final int SLOTS = Integer.getInteger("slots", 160);
    private static final int GATES = Integer.getInteger("gates", 50);
    private static final int MILLIS = Integer.getInteger("millis", 100);
    private static final int ROUNDS = Integer.getInteger("rounds", 1);
    private static final int WARM_UP = Integer.getInteger("warmup", 4_000);
    private static final String LIMITS = System.getProperty("limits", "concurrency 4");
    private static final String COUNTS = System.getProperty("processes", "1,4,16");

    private static final String LOOK = "select id from headgate_job limit 1";

    private Processes() {}

    public static void main(String[] stores) throws SQLException {
        System.setProperty("statements", "true"); // before the server starts
        try (Stores all = new Stores(List.of(stores))) {
            for (String kind : all.kinds()) {
                for (String count : COUNTS.split(",", -1)) {
                    measure(all, kind, Integer.parseInt(count));
                }
            }
        }
    }

    private static void measure(Stores stores, String kind, int count) throws SQLException {
        String url = stores.freshUrl(kind);
        try (JobStore store = new JobStore(Stores.open(url))) {
            store.setPolicy(GateKey.gate("g*"), GatePolicy.parse(LIMITS));
            List<WorkerProcess> processes = IntStream.range(0, count)
                    .parallel()
                    .mapToObj(i -> WorkerProcess.start(
                            url, "q", Math.max(1, SLOTS / count), List.of("-Xmx256m", "-XX:+UseSerialGC")))
                    .toList();
            drain(store, url, WARM_UP, 1);
            for (int round = 0; round < ROUNDS; round++) {
                Statements before = Statements.of(url);
                double seconds = drain(store, url, JOBS, MILLIS);
                Statements after = Statements.of(url);
                System.out.printf(
                        "%-8s %2d processes, %d slots, %d gates of '%s', %,d jobs of %d ms: %.1f s, %,.0f jobs/s, %.2f statements and %.2f commits a job%n",
                        kind,
                        count,
                        SLOTS,
                        GATES,
                        LIMITS,
                        JOBS,
                        MILLIS,
                        seconds,
                        JOBS / seconds,
                        (after.statements() - before.statements()) / (double) JOBS,
                        (after.commits() - before.commits()) / (double) JOBS);
            }
            processes.forEach(WorkerProcess::close);
        } finally {
            stores.discard(url);
        }
    }

    /** Jobs are enqueued while their queue is paused, so that all processes begin together. */
    private static double drain(JobStore store, String url, int jobs, int millis) throws SQLException {
        store.policyStore().pause(Pause.queue("q"), "benchmark", "until all are here");
        String payload = "{\"n\":%d}".formatted(millis);
        Loads.enqueue(
                store,
                jobs,
                i -> Loads.job("q", List.of("g" + i % GATES), WorkerProcess.BUSY.name(), payload, Cost.ONE));
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            long begin = System.nanoTime();
            store.policyStore().resume(Pause.queue("q"));
            while (isAnyLeft(statement)) {
                LockSupport.parkNanos(50_000_000);
            }
            return (System.nanoTime() - begin) / 1e9;
        }
    }

    private static boolean isAnyLeft(Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery(LOOK)) {
            return rows.next();
        }
    }

    /** What the server has done so far, of all processes; nothing on SQLite, which does not count. */
    private record Statements(long statements, long commits) {
        static Statements of(String url) throws SQLException {
            if (url.startsWith("jdbc:sqlite:")) {
                return new Statements(0, 0);
            }
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement()) {
                statement.execute("create extension if not exists pg_stat_statements");
                try (ResultSet rows = statement.executeQuery(
                        "select coalesce(sum(calls), 0)::bigint, (select xact_commit from pg_stat_database where datname = current_database())"
                                + " from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())"
                                + " and query not like 'select id from headgate_job limit%'")) {
                    rows.next();
                    return new Statements(rows.getLong(1), rows.getLong(2));
                }
            }
        }
    }
}
