package dev.headgate.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.headgate.proof.Jobs;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.contract.MigrationContract;
import dev.headgate.proof.contract.VersionContract;
import dev.headgate.spi.StoreProvider;
import dev.headgate.store.StoreRefusedException;
import dev.headgate.testkit.VirtualTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteMigrationTest implements MigrationContract, VersionContract {
    @TempDir
    Path folder;

    @Override
    public StoreProvider provider() {
        return new SqliteProvider();
    }

    @Override
    public StoreProvider nextProvider() {
        return new SqliteProvider(new SqliteDialect(new SqliteDialect().files().withMigration("next")));
    }

    @Override
    public String emptyUrl() {
        return "jdbc:sqlite:" + folder.resolve("jobs.db");
    }

    @Override
    public void execute(String url, List<String> statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    @Override
    public List<String> tables(String url) throws SQLException {
        List<String> tables = new ArrayList<>();
        if (!Files.exists(folder.resolve("jobs.db"))) {
            return tables;
        }
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "select type || name || coalesce(sql, '') from sqlite_master order by 1")) {
            while (rows.next()) {
                tables.add(rows.getString(1));
            }
        }
        return tables;
    }

    @Test
    void aPlanForAFileThatDoesNotExistMakesNone() {
        assertThat(provider().planMigration(emptyUrl()).from()).isZero();
        assertThat(folder).isEmptyDirectory();
        assertThat(provider().planMigration("jdbc:sqlite::memory:").from()).isZero();
    }

    /** SQLite answers a setting that it cannot have with another one. */
    @Test
    void aConnectionThatWouldLoseCommitsIsRefused() throws SQLException {
        SqliteFile file = SqliteFile.of(emptyUrl());
        file.prepare();
        SqliteConnections connections = new SqliteConnections(file, new SqliteDialect());
        try (Connection connection = connections.open();
                Statement statement = connection.createStatement()) {
            connections.check(statement);
            statement.execute("pragma synchronous = off");
            assertThatExceptionOfType(StoreRefusedException.class)
                    .isThrownBy(() -> connections.check(statement))
                    .withMessageContaining("expected journal_mode wal and synchronous 2 (full)")
                    .withMessageContaining("found wal and 0");
            statement.execute("pragma synchronous = full");
            statement.execute("pragma journal_mode = delete");
            assertThatExceptionOfType(StoreRefusedException.class)
                    .isThrownBy(() -> connections.check(statement))
                    .withMessageContaining("found delete and 2");
        }
    }

    /** A database in memory has no other programs, so it is never asked for their versions. */
    @Test
    void aTurnLooksAtTheTablesTogetherWithThePolicies() {
        assertThat(statementsOfATurn(emptyUrl())).isEqualTo(statementsOfATurn("jdbc:sqlite::memory:"));
    }

    /** A claim, an idle turn and the end of a job, each by itself. */
    private static List<Long> statementsOfATurn(String url) {
        List<Long> counts = new ArrayList<>();
        VirtualTime time = new VirtualTime();
        try (Rig rig = new Rig(SqliteBackend.open(url, time), time)) {
            rig.policy("queue q", "concurrency 5").enqueue(2, Jobs.job("q").gate("g"));
            ScriptedWorker worker = rig.worker("q");
            worker.claim(1); // what a first turn asks once for all
            for (Runnable turn :
                    List.<Runnable>of(() -> worker.claim(1), () -> worker.turn(3), () -> worker.finishAll())) {
                long before = rig.store().backend().statements();
                turn.run();
                counts.add(rig.store().backend().statements() - before);
            }
        }
        return counts;
    }
}
