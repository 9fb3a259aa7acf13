package dev.headgate.sqlite;

import dev.headgate.jdbc.Schema;
import dev.headgate.jdbc.SqlFailedException;
import dev.headgate.store.StoreRefusedException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import org.sqlite.SQLiteErrorCode;

/** Opens connections with the settings that make a commit durable and a conflict wait. */
final class SqliteConnections {
    /** Older versions can corrupt a database in WAL mode (the WAL-reset race). */
    private static final int[] OLDEST = {3, 51, 3};

    private static final int BUSY_MILLIS = 10_000;

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
                statement.execute("pragma busy_timeout = " + BUSY_MILLIS);
                statement.execute("pragma journal_mode = wal");
                statement.execute("pragma synchronous = full");
                statement.execute("pragma temp_store = memory");
                statement.execute("pragma cache_size = -65536");
            }
            return connection;
        } catch (SQLException failed) {
            throw refused(failed);
        }
    }

    /** Creates or migrates the tables; whoever comes second waits and finds them done. */
    void migrate(Connection connection) {
        checkVersion(connection);
        try (Statement statement = connection.createStatement()) {
            statement.execute("begin immediate");
            try {
                new Schema(dialect.files()).migrate(connection);
                statement.execute("commit");
            } catch (SQLException | RuntimeException failed) {
                statement.execute("rollback");
                throw failed;
            }
        } catch (SQLException failed) {
            throw refused(failed);
        }
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
