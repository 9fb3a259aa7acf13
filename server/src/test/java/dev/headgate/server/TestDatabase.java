package dev.headgate.server;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;

/** One PostgreSQL server, started once for all tests of this module. */
final class TestDatabase {
    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static final EmbeddedPostgres RUNNING = start();

    private TestDatabase() {}

    /** The URL of a new, empty database. */
    static String fresh() {
        String name = "served" + DATABASES.incrementAndGet();
        try (Connection connection = RUNNING.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name);
        } catch (SQLException failed) {
            throw new IllegalStateException(name, failed);
        }
        return RUNNING.getJdbcUrl("postgres", name);
    }

    private static EmbeddedPostgres start() {
        try {
            return EmbeddedPostgres.builder().setServerConfig("fsync", "off").start();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
