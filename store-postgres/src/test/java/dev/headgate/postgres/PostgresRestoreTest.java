package dev.headgate.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.proof.contract.RestoreContract;
import dev.headgate.proof.contract.StoreDump;
import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * The server that comes with the build has no {@code pg_dump}. So the copy is made as {@code pg_dump} makes it: all rows in one
 * transaction of level REPEATABLE READ, and what it takes to make the tables.
 */
class PostgresRestoreTest implements RestoreContract {
    private final String url = TestServer.freshSchema();
    private StoreDump copy;

    private void tell(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public Backend open(StoreClock clock) {
        return PostgresBackend.open(url, clock);
    }

    @Override
    public void backUp() throws Exception {
        copy = StoreDump.of(
                url,
                new PostgresProvider().planMigration(TestServer.freshSchema()).steps());
    }

    @Override
    public void restore() throws Exception {
        String schema;
        try (Connection connection = DriverManager.getConnection(url)) {
            schema = connection.getSchema();
        }
        tell("drop schema %s cascade".formatted(schema));
        tell("create schema " + schema);
        copy.load(url);
    }

    @Override
    public void skipNumbers(long count) throws Exception {
        String guide = Files.readString(Path.of("..", "docs", "guides", "backup.md"));
        for (String sql : List.of(
                "select setval('headgate_job_id', nextval('headgate_job_id') + 100000)",
                "select setval('headgate_frame_id', nextval('headgate_frame_id') + 100000)")) {
            assertThat(guide).contains(sql);
            tell(sql.replace("100000", Long.toString(count)));
        }
    }
}
