package dev.headgate.cli.process;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** One PostgreSQL server, started once for all tests of this module. */
public final class TestServer {
    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static final EmbeddedPostgres RUNNING = start();

    private TestServer() {}

    /** The URL of a new, empty database. */
    public static String freshDatabase() {
        String name = "jobs" + DATABASES.incrementAndGet();
        try (Connection connection = RUNNING.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name);
        } catch (SQLException failed) {
            throw new IllegalStateException(name, failed);
        }
        return RUNNING.getJdbcUrl("postgres", name);
    }

    static int port() {
        return RUNNING.getPort();
    }

    private static EmbeddedPostgres start() {
        try {
            // What survives a crash of the server is tested elsewhere.
            return EmbeddedPostgres.builder().setServerConfig("fsync", "off").start();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
