package dev.headgate.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** A schema of its own in one PostgreSQL server that is started once for all tests of this module. */
final class TestDatabase implements AutoCloseable {
    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    private final String url;
    private final HikariDataSource pool;

    TestDatabase() {
        String schema = "test" + SCHEMAS.incrementAndGet();
        execute("create schema " + schema);
        this.url = Server.RUNNING.getJdbcUrl("postgres", "postgres") + "&currentSchema=" + schema;
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(8);
        config.setMinimumIdle(1);
        config.setAutoCommit(false);
        this.pool = new HikariDataSource(config);
    }

    String url() {
        return url;
    }

    HikariDataSource pool() {
        return pool;
    }

    static void execute(String sql) {
        try (Connection connection = Server.RUNNING.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failed) {
            throw new IllegalStateException(sql, failed);
        }
    }

    @Override
    public void close() {
        pool.close();
    }

    private static final class Server {
        static final EmbeddedPostgres RUNNING = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.start();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }
}
