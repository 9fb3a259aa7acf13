package dev.headgate.benchmarks.versus;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What this process, and PostgreSQL if it is that, have spent so far. Read while no other session is connected: a
 * backend reports what it did when it leaves, and the server counts its processor time then.
 */
final class Spending {
    private static final int TICKS_A_SECOND = 100;
    private static final int GIVE_UP_MILLIS = 10_000;
    private static final int REAPED_MILLIS = 200;

    private final Map<Figure, Double> spent;

    private Spending(Map<Figure, Double> spent) {
        this.spent = spent;
    }

    static Spending take(String url) throws SQLException, InterruptedException {
        Map<Figure, Double> spent = new EnumMap<>(Figure.class);
        if (!Pools.isSqlite(url)) {
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement()) {
                awaitSolitude(statement);
                if (countsStatements(statement)) {
                    spent.put(
                            Figure.STATEMENTS,
                            number(
                                    statement,
                                    "sum(calls) from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())"));
                }
                spent.put(
                        Figure.COMMITS,
                        number(statement, "xact_commit from pg_stat_database where datname = current_database()"));
                spent.put(Figure.WAL, number(statement, "pg_current_wal_lsn() - '0/0'::pg_lsn"));
                spent.put(Figure.SERVER_CPU, serverSeconds(statement));
            }
        }
        var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        spent.put(Figure.CPU, system.getProcessCpuTime() / 1e9);
        return new Spending(spent);
    }

    /** What was spent from this reading to a later one, for each job or each thousand of them as the figure says. */
    Map<Figure, Double> until(Spending later, int jobs) {
        Map<Figure, Double> each = new EnumMap<>(Figure.class);
        spent.forEach((figure, before) -> {
            double after = later.spent.getOrDefault(figure, before);
            boolean isPerThousand = figure == Figure.CPU || figure == Figure.SERVER_CPU;
            if (!Double.isNaN(before)) {
                each.put(figure, (after - before) / jobs * (isPerThousand ? 1_000 : 1));
            }
        });
        return each;
    }

    /** If the server was started so. */
    private static boolean countsStatements(Statement statement) throws SQLException {
        if (number(statement, "(current_setting('shared_preload_libraries') like '%stat_statements%')::int") == 0) {
            return false;
        }
        statement.execute("create extension if not exists pg_stat_statements");
        return true;
    }

    private static void awaitSolitude(Statement statement) throws SQLException, InterruptedException {
        String others = """
                count(*) from pg_stat_activity
                where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
                """;
        for (int waited = 0; number(statement, others) > 0 && waited < GIVE_UP_MILLIS; waited += 10) {
            Thread.sleep(10);
        }
        // They are gone from the list a moment before the server has counted their time.
        Thread.sleep(REAPED_MILLIS);
    }

    private static double number(Statement statement, String what) throws SQLException {
        try (ResultSet row = statement.executeQuery("select " + what)) {
            row.next();
            return row.getDouble(1);
        }
    }

    /** Processor time of the server and of all its backends that have left; unknown where there is no {@code /proc}. */
    private static double serverSeconds(Statement statement) throws SQLException {
        String pid;
        try (ResultSet row = statement.executeQuery("select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)")) {
            row.next();
            pid = row.getString(1);
        }
        try {
            String stat = Files.readString(Path.of("/proc", pid, "stat"));
            List<String> fields =
                    List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
            long ticks =
                    fields.subList(11, 15).stream().mapToLong(Long::parseLong).sum();
            return (double) ticks / TICKS_A_SECOND;
        } catch (IOException notThere) {
            return Double.NaN;
        }
    }
}
