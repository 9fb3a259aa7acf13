package dev.headgate.jdbc;

import dev.headgate.store.StoreRefusedException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Creates and migrates the tables. Migrations are numbered files, applied once each and never edited. */
public final class Schema {
    /** Each migration, in order; its place is its version. */
    private static final List<String> MIGRATIONS = List.of(
            "0001_engine",
            "0002_schedules",
            "0003_plans",
            "0004_listings",
            "0005_running_shares",
            "0006_margins",
            "0007_lost_workers");

    private final SqlFiles files;

    public Schema(SqlFiles files) {
        this.files = files;
    }

    public static int version() {
        return MIGRATIONS.size();
    }

    /** The version found; 0 if there are no tables yet. */
    public int found(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (number(statement, files.read("session/count_meta_tables.sql")) == 0) {
                return 0;
            }
            return number(statement, files.read("session/schema_version.sql"));
        }
    }

    /** Brings an older schema up to date. The caller's transaction keeps other migrations out. */
    public void migrate(Connection connection) throws SQLException {
        int found = found(connection);
        if (found > version()) {
            throw new StoreRefusedException(
                    "schema: expected version %d or older, found %d: this store was used by a newer Headgate; update this one"
                            .formatted(version(), found));
        }
        for (int next = found; next < version(); next++) {
            try (Statement statement = connection.createStatement()) {
                for (String part :
                        files.read("migration/" + MIGRATIONS.get(next) + ".sql").split(";\\s*\n", -1)) {
                    if (!part.isBlank()) {
                        statement.execute(part);
                    }
                }
                statement.execute(
                        "update headgate_meta set value = %d where key = 'schema_version'".formatted(next + 1));
            }
        }
    }

    private static int number(Statement statement, String sql) throws SQLException {
        try (ResultSet results = statement.executeQuery(sql)) {
            return results.next() ? results.getInt(1) : 0;
        }
    }
}
