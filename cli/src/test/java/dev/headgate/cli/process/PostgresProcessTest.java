package dev.headgate.cli.process;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** One server for all tests, one database for each. */
class PostgresProcessTest implements ProcessContract {
    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static EmbeddedPostgres server;

    @BeforeAll
    static void start() throws IOException {
        server = EmbeddedPostgres.start();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    @Override
    public String freshStore() throws SQLException {
        String name = "jobs" + DATABASES.incrementAndGet();
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("create database " + name);
        }
        return server.getJdbcUrl("postgres", name);
    }
}
