package dev.headgate.benchmarks.versus;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** Connections for those that bring none of their own. */
public final class Pools {
    private static final long PATIENCE_MILLIS = 60_000;

    private Pools() {}

    static boolean isSqlite(String url) {
        return url.startsWith("jdbc:sqlite:");
    }

    /** A pool of a fixed size, as durable as Headgate's own connections, and with the fast form of batches on PostgreSQL. */
    public static HikariDataSource open(String url, int connections) {
        return new HikariDataSource(config(url, connections));
    }

    static HikariDataSource withoutAutoCommit(String url, int connections) {
        HikariConfig config = config(url, connections);
        config.setAutoCommit(false);
        return new HikariDataSource(config);
    }

    private static HikariConfig config(String url, int connections) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(connections);
        config.setConnectionTimeout(PATIENCE_MILLIS);
        if (isSqlite(url)) {
            config.addDataSourceProperty("journal_mode", "WAL");
            config.addDataSourceProperty("synchronous", "FULL");
            config.addDataSourceProperty("busy_timeout", Long.toString(PATIENCE_MILLIS));
        } else {
            config.addDataSourceProperty("reWriteBatchedInserts", "true");
        }
        return config;
    }

    public static void execute(DataSource source, String sql) throws SQLException {
        try (Connection connection = source.getConnection();
                Statement statement = connection.createStatement()) {
            for (String one : sql.split(";\\s*\n", -1)) {
                if (!one.isBlank()) {
                    statement.execute(one);
                }
            }
            if (!connection.getAutoCommit()) {
                connection.commit();
            }
        }
    }
}
