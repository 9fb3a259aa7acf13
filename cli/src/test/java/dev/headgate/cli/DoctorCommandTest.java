package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.job.JobStore;
import dev.headgate.spi.WorkerRow;
import dev.headgate.sqlite.SqliteBackend;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class DoctorCommandTest {
    @TempDir
    Path folder;

    Prompt prompt;

    @BeforeEach
    void open() {
        prompt = new Prompt(folder);
        prompt.must("gate", "set", "api", "concurrency 3");
        prompt.must("enqueue", "noop", "--gate", "api");
    }

    private void tamper(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(prompt.url());
                Statement statement = connection.createStatement()) {
            assertThat(statement.executeUpdate(sql)).as(sql).isPositive();
        }
    }

    private JsonNode problem(String check) {
        Prompt.Answer answer = prompt.run("doctor", "--json");
        assertThat(answer.exit()).isEqualTo(ExitCode.BAD);
        assertThat(answer.json().get("well").asBoolean()).isFalse();
        for (JsonNode finding : answer.json().get("findings")) {
            if (finding.get("level").asString().equals("problem")) {
                assertThat(finding.get("check").asString()).isEqualTo(check);
                return finding.get("found");
            }
        }
        throw new AssertionError("no problem found: " + answer);
    }

    @Test
    void aHealthyStoreIsWell() {
        Prompt.Answer answer = prompt.run("doctor");
        assertThat(answer.exit()).isZero();
        assertThat(answer.lines())
                .anyMatch(line -> line.matches("store +ok +SQLite 3.*jobs.db"))
                .anyMatch(line -> line.matches("schema +ok +version \\d+, .*"))
                .anyMatch(line -> line.matches("clock +ok .*"))
                .anyMatch(line -> line.matches("listening +ok .*write-ahead log"))
                .anyMatch(line -> line.matches("recount +ok .*"))
                .anyMatch(line -> line.matches("workers +note +none is running.*"))
                .anyMatch(line -> line.matches("queues +note +1 job waits in queue 'default', and no worker serves it"))
                .anyMatch(line -> line.matches("gates +ok .*"));
        assertThat(prompt.run("doctor", "--json").json().get("well").asBoolean())
                .isTrue();
    }

    @Test
    void findsSchedulesThatNobodyFires() {
        prompt.must("schedule", "add", "old", "noop", "--once", "2026-01-01T00:00:00Z");
        prompt.must("schedule", "add", "new", "noop", "--every", "1h");
        assertThat(problem("schedules").asString()).contains("'old' was due", "nobody has fired it");
        prompt.must("schedule", "pause", "old");
        assertThat(prompt.run("doctor").exit()).isZero();
    }

    @Test
    void findsGatesThatLimitNothing() {
        prompt.must("enqueue", "noop", "--gate", "apy", "--count", "2");
        assertThat(problem("gates").asString()).contains("gate 'apy' has no limits and is named by 2 waiting jobs");
    }

    @Test
    void findsDrift() throws SQLException {
        prompt.must("work", "--once");
        tamper("update headgate_gate set leases = 1 where key = 'gate:api'");
        assertThat(problem("recount").asString())
                .contains("gate api: noted 1 jobs")
                .contains("hold 0");
    }

    @Test
    void findsLostWorkers() throws SQLException {
        try (JobStore store = new JobStore(SqliteBackend.open(prompt.url()))) {
            WorkerRow worker = new WorkerRow("w1", "gone", List.of("default"), 1, 0, 0, List.of());
            store.register(worker, Duration.ofSeconds(30), List.of());
        }
        tamper("update headgate_worker set lease_until = 2");
        assertThat(problem("workers").asString()).contains("w1 (gone) was lost").contains("holds 0 jobs");
    }

    @Test
    void mentionsParkedJobs() {
        prompt.must("enqueue", "mystery");
        prompt.must("work", "--once");
        assertThat(prompt.must("doctor").lines()).anyMatch(line -> line.matches("parked +note +1 job set aside.*"));
    }

    @Test
    void mentionsJobsThatCouldStartBesideAFreeSlot() throws SQLException {
        try (JobStore store = new JobStore(SqliteBackend.open(prompt.url()))) {
            WorkerRow worker = new WorkerRow("w1", "idle", List.of("default"), 1, 0, 0, List.of());
            store.register(worker, Duration.ofHours(1), List.of());
        }
        assertThat(prompt.must("doctor").lines()).anyMatch(line -> line.matches("lines +ok .*"));
        tamper(
                "insert into headgate_lane (id, queue, gates, state, rank, cost, since, passes, share) select lane, queue, gates, 'READY', rank, cost, 1, passes, '' from headgate_arrival");
        assertThat(prompt.must("doctor").lines())
                .anyMatch(
                        line -> line.matches("lines +note +queue 'default': jobs could start, and none has for 4 s.*"))
                .noneMatch(line -> line.matches("lines +ok .*"));
    }
}
