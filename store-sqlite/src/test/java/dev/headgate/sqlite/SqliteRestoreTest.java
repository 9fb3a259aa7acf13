package dev.headgate.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.proof.contract.RestoreContract;
import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the commands of docs/guides/backup.md. */
class SqliteRestoreTest implements RestoreContract {
    @TempDir
    Path folder;

    private Path store() {
        return folder.resolve("jobs.db");
    }

    private Path copy() {
        return folder.resolve("copy.db");
    }

    private void tell(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + store());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public Backend open(StoreClock clock) {
        return SqliteBackend.open("jdbc:sqlite:" + store(), clock);
    }

    @Override
    public void backUp() throws SQLException {
        tell("vacuum into '%s'".formatted(copy()));
    }

    /** The files beside the store belong to it, and not to the copy. */
    @Override
    public void restore() throws Exception {
        for (String name : List.of("jobs.db", "jobs.db-wal", "jobs.db-shm")) {
            Files.deleteIfExists(folder.resolve(name));
        }
        Files.copy(copy(), store());
    }

    @Override
    public void skipNumbers(long count) throws Exception {
        String guide = Files.readString(Path.of("..", "docs", "guides", "backup.md"));
        for (String sql : List.of(
                "update sqlite_sequence set seq = seq + 100000 where name = 'headgate_job'",
                "update headgate_meta set value = value + 100000 where key = 'frame_id'")) {
            assertThat(guide).contains(sql);
            tell(sql.replace("100000", Long.toString(count)));
        }
    }

    /** Why the guide says so: the newest commits are in the log beside it. */
    @Test
    void aPlainCopyOfAFileInUseLacksWhatWasAcknowledged() throws Exception {
        try (SqliteBackend open = SqliteBackend.open("jdbc:sqlite:" + store())) {
            Files.copy(store(), copy());
            assertThat(Files.size(folder.resolve("jobs.db-wal"))).isPositive();
            backUpTo(folder.resolve("good.db"));
            assertThat(open.describe()).isNotEmpty();
        }
        assertThat(tables(copy())).isZero();
        assertThat(tables(folder.resolve("good.db"))).isPositive();
    }

    private void backUpTo(Path file) throws SQLException {
        tell("vacuum into '%s'".formatted(file));
    }

    private static int tables(Path file) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement();
                var rows = statement.executeQuery("select count(*) from sqlite_master where name like 'headgate%'")) {
            return rows.next() ? rows.getInt(1) : -1;
        }
    }
}
