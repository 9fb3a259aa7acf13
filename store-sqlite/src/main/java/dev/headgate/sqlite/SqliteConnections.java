package dev.headgate.sqlite;

import dev.headgate.jdbc.Schema;
import dev.headgate.jdbc.SqlFailedException;
import dev.headgate.store.MigrationPlan;
import dev.headgate.store.MigrationPlan.Progress;
import dev.headgate.store.StoreRefusedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.function.Consumer;
import org.sqlite.SQLiteErrorCode;

/** Opens connections with the settings that make a commit durable and a conflict wait. */
final class SqliteConnections {
    /** Older versions can corrupt a database in WAL mode (the WAL-reset race). */
    private static final int[] OLDEST = {3, 51, 3};

    private static final int BUSY_MILLIS = 10_000;

    /** Another process may be migrating a large store. */
    private static final int MIGRATION_BUSY_MILLIS = Integer.MAX_VALUE;

    private static final String SYNCHRONOUS_FULL = "2";

    private final SqliteFile file;
    private final SqliteDialect dialect;

    SqliteConnections(SqliteFile file, SqliteDialect dialect) {
        this.file = file;
        this.dialect = dialect;
    }

    Connection open() {
        try {
            Connection connection = DriverManager.getConnection(file.url());
            try (Statement statement = connection.createStatement()) {
                waitUpTo(statement, BUSY_MILLIS);
                statement.execute("pragma journal_mode = wal");
                statement.execute("pragma synchronous = full");
                statement.execute("pragma temp_store = memory");
                statement.execute("pragma cache_size = -65536");
                check(statement);
            } catch (SQLException | RuntimeException unusable) {
                connection.close();
                throw unusable;
            }
            return connection;
        } catch (SQLException failed) {
            throw refused(failed);
        }
    }

    /** The same, on tables that this program knows. */
    Connection openUpToDate() {
        Connection connection = open();
        try {
            migrate(connection, false, step -> {});
            return connection;
        } catch (RuntimeException refused) {
            closeQuietly(connection, refused);
            throw refused;
        }
    }

    private static void closeQuietly(Connection connection, RuntimeException why) {
        try {
            connection.close();
        } catch (SQLException failed) {
            why.addSuppressed(failed);
        }
    }

    private static void waitUpTo(Statement statement, int millis) throws SQLException {
        statement.execute("pragma busy_timeout = " + millis);
    }

    /** SQLite answers a wish that it cannot grant with what there is, and not with an error. */
    void check(Statement statement) throws SQLException {
        String journal = text(statement, "pragma journal_mode");
        String synchronous = text(statement, "pragma synchronous");
        boolean isLogged = journal.equals(file.path() == null ? "memory" : "wal");
        if (!isLogged || !synchronous.equals(SYNCHRONOUS_FULL)) {
            throw new StoreRefusedException(
                    "SQLite store %s: expected journal_mode wal and synchronous 2 (full), without which an acknowledged job can be lost, found %s and %s; keep the file on a local disk"
                            .formatted(file.url(), journal, synchronous));
        }
    }

    private static String text(Statement statement, String sql) throws SQLException {
        try (ResultSet results = statement.executeQuery(sql)) {
            return results.next() ? results.getString(1) : "";
        }
    }

    /** What there is to do to the tables. A file that does not exist yet is not created for it. */
    MigrationPlan plan() {
        Path path = file.path();
        if (path == null || !Files.exists(path)) {
            return plan(0);
        }
        try (Connection connection = DriverManager.getConnection(file.url());
                Statement statement = connection.createStatement()) {
            waitUpTo(statement, BUSY_MILLIS);
            return schema().plan(connection);
        } catch (SQLException failed) {
            throw refused(failed);
        }
    }

    /**
     * Creates or migrates the tables; what comes second waits, for as long as that takes, and finds them done.
     *
     * @param isForced whether workers of an older version that run are cut off
     * @return what was done
     */
    MigrationPlan migrate(Connection connection, boolean isForced, Consumer<Progress> listener) {
        checkVersion(connection);
        try (Statement statement = connection.createStatement()) {
            MigrationPlan found = schema().plan(connection);
            if (found.isUpToDate()) {
                return found;
            }
            waitUpTo(statement, MIGRATION_BUSY_MILLIS);
            statement.execute("begin immediate");
            try {
                MigrationPlan done = schema().migrate(connection, isForced, listener);
                statement.execute("commit");
                return done;
            } catch (SQLException | RuntimeException failed) {
                statement.execute("rollback");
                throw failed;
            } finally {
                waitUpTo(statement, BUSY_MILLIS);
            }
        } catch (SQLException failed) {
            throw refused(failed);
        }
    }

    /** What there is to do for tables of this version. */
    MigrationPlan plan(int found) {
        return schema().plan(found);
    }

    private Schema schema() {
        return new Schema(dialect.files(), "SQLite " + file.url());
    }

    private StoreRefusedException refused(SQLException failed) {
        if (failed.getErrorCode() == SQLiteErrorCode.SQLITE_NOTADB.code) {
            return new StoreRefusedException(
                    "SQLite store %s: expected a SQLite database, found another kind of file; nothing was changed"
                            .formatted(file.url()),
                    failed);
        }
        return new StoreRefusedException(
                "SQLite store %s: expected a database Headgate can write: %s"
                        .formatted(file.url(), failed.getMessage()),
                new SqlFailedException("open", failed));
    }

    private void checkVersion(Connection connection) {
        String found = version(connection);
        if (!isSafe(found)) {
            throw new StoreRefusedException(
                    "SQLite: expected version 3.51.3 or newer, found %s, which can corrupt a database in WAL mode; update sqlite-jdbc"
                            .formatted(found));
        }
    }

    static boolean isSafe(String version) {
        int[] numbers = Arrays.stream(version.split("\\.", -1))
                .mapToInt(Integer::parseInt)
                .toArray();
        return Arrays.compare(numbers, OLDEST) >= 0;
    }

    static String version(Connection connection) {
        try (Statement statement = connection.createStatement();
                ResultSet results = statement.executeQuery("select sqlite_version()")) {
            results.next();
            return results.getString(1);
        } catch (SQLException failed) {
            throw new SqlFailedException("sqlite_version", failed);
        }
    }
}
