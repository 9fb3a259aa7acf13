package dev.headgate.proof.contract;

import dev.headgate.store.MigrationPlan.Step;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A store as SQL text: the statements that made its tables, then every row. A statement ends with a semicolon at the end of a line, and no
 * value has a line break of its own, so that a reader needs to know nothing else of SQL.
 *
 * @param tables what made them, in order
 * @param rows what fills them
 */
public record StoreDump(List<String> tables, List<String> rows) {
    private static final String TABLES = "-- Its tables, as they were made.";
    private static final String ROWS = "-- Its rows.";

    /** Reads all rows of a store as of one moment, also while others write. */
    public static StoreDump of(String url, List<Step> steps) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            Dialect dialect = Dialect.of(connection);
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(dialect.snapshot);
            List<String> rows = new ArrayList<>();
            rows.add("delete from headgate_meta"); // migrations have written to these two
            rows.add("delete from headgate_figure");
            for (String table : tables(connection)) {
                rows.addAll(inserts(connection, dialect, table));
            }
            rows.addAll(dialect.counters(connection));
            return new StoreDump(steps.stream().map(Step::sql).toList(), rows);
        }
    }

    String text(String heading) {
        return heading.lines().map("-- "::concat).collect(Collectors.joining("\n"))
                + "\n\n%s\n%s\n\n%s\n%s\n".formatted(TABLES, lines(tables), ROWS, lines(rows));
    }

    private static String lines(List<String> statements) {
        return statements.stream().map(sql -> sql + ";").collect(Collectors.joining("\n"));
    }

    static StoreDump parse(String text) {
        int tables = text.indexOf(TABLES) + TABLES.length();
        int rows = text.indexOf(ROWS);
        return new StoreDump(
                statements(text.substring(tables, rows)), statements(text.substring(rows + ROWS.length())));
    }

    private static List<String> statements(String text) {
        return Arrays.stream(text.split(";\n", -1))
                .map(String::strip)
                .filter(sql -> !sql.isEmpty())
                .toList();
    }

    /** Makes a store of it, in one that has nothing in it yet. */
    public void load(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                for (String sql : tables) {
                    statement.execute(sql);
                }
                for (String sql : rows) {
                    statement.execute(sql);
                }
            }
            connection.commit();
        }
    }

    /** Runs this in the store behind the URL, past everything that is written there otherwise; returns how many rows it changed. */
    public static int change(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    /** How many rows each table has. */
    static TreeMap<String, Long> counts(String url) throws SQLException {
        TreeMap<String, Long> counts = new TreeMap<>();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String table : tables(connection)) {
                try (ResultSet count = statement.executeQuery("select count(*) from " + table)) {
                    count.next();
                    counts.put(table, count.getLong(1));
                }
            }
        }
        return counts;
    }

    /** The different values of one column, those that are null left out. */
    static TreeSet<String> values(String url, String table, String column) throws SQLException {
        TreeSet<String> values = new TreeSet<>();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select distinct %s from %s where %s is not null".formatted(column, table, column))) {
            while (rows.next()) {
                values.add(rows.getString(1));
            }
        }
        return values;
    }

    private static Set<String> tables(Connection connection) throws SQLException {
        Set<String> tables = new TreeSet<>();
        DatabaseMetaData about = connection.getMetaData();
        try (ResultSet found = about.getTables(null, connection.getSchema(), "headgate%", new String[] {"TABLE"})) {
            while (found.next()) {
                tables.add(found.getString("TABLE_NAME"));
            }
        }
        return tables;
    }

    private static List<String> inserts(Connection connection, Dialect dialect, String table) throws SQLException {
        List<String> inserts = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select * from " + table)) {
            ResultSetMetaData columns = rows.getMetaData();
            StringBuilder into = new StringBuilder("insert into " + table + " (");
            for (int i = 1; i <= columns.getColumnCount(); i++) {
                into.append(i == 1 ? "" : ", ").append(columns.getColumnName(i));
            }
            into.append(dialect == Dialect.POSTGRES ? ") overriding system value values (" : ") values (");
            while (rows.next()) {
                StringBuilder insert = new StringBuilder(into);
                for (int i = 1; i <= columns.getColumnCount(); i++) {
                    insert.append(i == 1 ? "" : ", ").append(dialect.literal(rows.getObject(i)));
                }
                inserts.add(insert.append(")").toString());
            }
        }
        inserts.sort(null);
        return inserts;
    }

    /** How the two databases differ. */
    private enum Dialect {
        SQLITE(
                Connection.TRANSACTION_SERIALIZABLE,
                "char(10)",
                "select name, seq from sqlite_sequence order by name",
                "insert into sqlite_sequence (name, seq) values ('%s', %s)"),
        POSTGRES(
                Connection.TRANSACTION_REPEATABLE_READ,
                "chr(10)",
                "select sequencename, last_value from pg_sequences where schemaname = current_schema() and last_value is not null order by sequencename",
                "select setval('%s', %s)");

        private final int snapshot;
        private final String lineBreak;
        private final String counters;
        private final String counter;

        Dialect(int snapshot, String lineBreak, String counters, String counter) {
            this.snapshot = snapshot;
            this.lineBreak = lineBreak;
            this.counters = counters;
            this.counter = counter;
        }

        static Dialect of(Connection connection) throws SQLException {
            return connection.getMetaData().getURL().startsWith("jdbc:sqlite:") ? SQLITE : POSTGRES;
        }

        /** What gives out numbers goes on where it was. */
        List<String> counters(Connection connection) throws SQLException {
            List<String> statements = new ArrayList<>();
            if (this == SQLITE) {
                statements.add("delete from sqlite_sequence");
            }
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(counters)) {
                while (rows.next()) {
                    statements.add(counter.formatted(rows.getString(1), rows.getLong(2)));
                }
            }
            return statements;
        }

        String literal(@Nullable Object value) {
            return switch (value) {
                case null -> "null";
                case Number number -> number.toString();
                case String text -> "'" + text.replace("'", "''").replace("\n", "' || " + lineBreak + " || '") + "'";
                default -> throw new IllegalStateException("a value of " + value.getClass());
            };
        }
    }
}
