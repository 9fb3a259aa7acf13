package dev.headgate.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** One PostgreSQL server, started once for all tests of this module. */
final class TestServer {
    private static final AtomicInteger SCHEMAS = new AtomicInteger();
    private static final EmbeddedPostgres RUNNING = start();

    private TestServer() {}

    /** The URL of a new, empty schema. */
    static String freshSchema() {
        String schema = "test" + SCHEMAS.incrementAndGet();
        try (Connection connection = RUNNING.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create schema " + schema);
        } catch (SQLException failed) {
            throw new IllegalStateException(schema, failed);
        }
        return RUNNING.getJdbcUrl("postgres", "postgres") + "&currentSchema=" + schema;
    }

    private static EmbeddedPostgres start() {
        try {
            return EmbeddedPostgres.start();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
