package dev.headgate.sqlite;

import dev.headgate.jdbc.Schema;
import dev.headgate.jdbc.SqlFailedException;
import dev.headgate.store.MigrationPlan;
import dev.headgate.store.MigrationPlan.Progress;
import dev.headgate.store.StoreRefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Consumer;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteOpenMode;

/** Opens connections with the settings that make a commit durable and a conflict wait. */
final class SqliteConnections {
    /** Older versions can corrupt a database in WAL mode (the WAL-reset race). */
    private static final int[] OLDEST = {3, 51, 3};

    private static final int BUSY_MILLIS = 10_000;

    /** Writers keep no reader waiting; only one that moves or restores the log does, for a moment. */
    private static final int READ_BUSY_MILLIS = 2_000;

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
        return looked(schema()::plan, plan(0));
    }

    /** Whether there are tables that are not Headgate's. */
    boolean hasOtherTables() {
        return looked(schema()::hasOtherTables, false);
    }

    private interface Look<T> {
        T at(Connection connection) throws SQLException;
    }

    private <T> T looked(Look<T> look, T ifAbsent) {
        Path path = file.path();
        if (path == null || !Files.exists(path)) {
            return ifAbsent;
        }
        try (Connection connection = openToRead(false)) {
            return look.at(connection);
        } catch (SQLException failed) {
            throw refused(failed);
        }
    }

    /**
     * Opens a file that is there, so that neither it nor its folder is changed. What others have written and not yet moved from
     * the log or the journal into the file stays there: SQLite would move it when it opens or closes a file that it may write.
     * A file that may not be written, or whose folder may not, and that has no log, is read without locks: SQLite would need
     * files beside it, and nothing in this place can write to it.
     *
     * @param isStore whether to refuse a database without Headgate's tables
     */
    Connection openToRead(boolean isStore) {
        Path path = Objects.requireNonNull(file.path(), "a database in memory has one connection only");
        file.checkReadable();
        boolean isUnfinished = size(path, "-wal") > 0 || size(path, "-journal") > 0;
        boolean mayWrite = Files.isWritable(path) && Files.isWritable(path.resolveSibling(""));
        SQLiteConfig config = new SQLiteConfig();
        config.resetOpenMode(SQLiteOpenMode.CREATE);
        config.setReadOnly(isUnfinished || !mayWrite);
        config.setBusyTimeout(READ_BUSY_MILLIS);
        String url = isUnfinished || mayWrite ? file.url() : SqliteFile.SCHEME + path.toUri() + "?immutable=1";
        try {
            Connection connection = config.createConnection(url);
            try (Statement statement = connection.createStatement()) {
                statement.execute("pragma query_only = on");
                statement.execute("pragma temp_store = memory");
                if (isStore) {
                    schema().requireReadable(connection);
                }
            } catch (SQLException | RuntimeException unusable) {
                connection.close();
                throw unusable;
            }
            return connection;
        } catch (SQLException failed) {
            throw unreadable(failed);
        }
    }

    private static long size(Path database, String ending) {
        try {
            return Files.size(database.resolveSibling(database.getFileName() + ending));
        } catch (IOException absent) {
            return 0;
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
        return refused("expected a database Headgate can write", failed);
    }

    private StoreRefusedException unreadable(SQLException failed) {
        return refused("expected a database that can be read as it is, without a change", failed);
    }

    private StoreRefusedException refused(String expected, SQLException failed) {
        if (failed.getErrorCode() == SQLiteErrorCode.SQLITE_NOTADB.code) {
            return new StoreRefusedException(
                    "SQLite store %s: expected a SQLite database, found another kind of file; nothing was changed"
                            .formatted(file.url()),
                    failed);
        }
        return new StoreRefusedException(
                "SQLite store %s: %s: %s".formatted(file.url(), expected, failed.getMessage()),
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
