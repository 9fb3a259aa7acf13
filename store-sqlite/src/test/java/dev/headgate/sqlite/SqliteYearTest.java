package dev.headgate.sqlite;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.limiter.PermitStore;
import dev.headgate.internal.operate.PruneEnded;
import dev.headgate.internal.resource.ProfileLearner.Declared;
import dev.headgate.internal.resource.ResourceStore;
import dev.headgate.internal.workflow.RunStore;
import dev.headgate.job.JobId;
import dev.headgate.job.Outcome;
import dev.headgate.limit.GateKey;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.resource.Needs;
import dev.headgate.spi.NewJob;
import dev.headgate.testkit.VirtualTime;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * I34: a year of virtual time in which every day brings keys that never come again: tenants, job types, versions of policies and of
 * workflows, workers, permits that are not given back. No table grows once each has come to its bound, and a rest leaves nothing
 * behind of what was seen once. {@code -Dyear.keys=1000000} for as many as the operations guide speaks of.
 */
class SqliteYearTest {
    private static final int DAYS = 365;
    private static final int KEYS = Integer.getInteger("year.keys", 10_000);
    private static final int SETTLED_DAY = 120;

    @TempDir
    Path folder;

    private final VirtualTime time = new VirtualTime();
    private int keys;

    @Test
    void noTableGrowsForEver() throws SQLException {
        String url = "jdbc:sqlite:" + folder.resolve("year.db");
        try (Rig rig = new Rig(SqliteBackend.open(url, time), time);
                Connection connection = DriverManager.getConnection(url)) {
            rig.policy("queue *", "retention 2d")
                    .policy("queue fair", "concurrency 100000; fair by tenant:*")
                    .policy("gate tenant:*", "concurrency 2; rate 5/1s burst 5; window 100/1h; adaptive 1..4")
                    .policy("gate seen", "concurrency 100000; journal 2d");
            PruneEnded ended = new PruneEnded(rig.store().backend());
            Map<String, Long> settled = Map.of();
            Map<String, Long> most = new TreeMap<>();
            for (int day = 1; day <= DAYS; day++) {
                live(rig, day);
                tidy(rig, ended);
                Map<String, Long> rows = rows(connection);
                if (day == SETTLED_DAY) {
                    settled = rows;
                } else if (day > SETTLED_DAY) {
                    rows.forEach((table, count) -> most.merge(table, count, Math::max));
                }
            }
            System.out.printf("a year with %d keys: %s%n", keys, most);
            assertThat(settled).hasSizeGreaterThan(20);
            for (Map.Entry<String, Long> table : settled.entrySet()) {
                assertThat(most.get(table.getKey()))
                        .as("%s, which had %d rows after %d days", table.getKey(), table.getValue(), SETTLED_DAY)
                        .isLessThanOrEqualTo(table.getValue() + table.getValue() / 4 + 5);
            }
            rig.advance(Duration.ofDays(400));
            rig.store().reap();
            tidy(rig, ended);
            Map<String, Long> left = rows(connection);
            assertThat(left)
                    .containsEntry("headgate_gate", 0L)
                    .containsEntry("headgate_share", 0L)
                    .containsEntry("headgate_lane", 0L)
                    .containsEntry("headgate_arrival", 0L)
                    .containsEntry("headgate_job", 0L)
                    .containsEntry("headgate_history", 0L)
                    .containsEntry("headgate_attempt", 0L)
                    .containsEntry("headgate_log", 0L)
                    .containsEntry("headgate_edge", 0L)
                    .containsEntry("headgate_journal", 0L)
                    .containsEntry("headgate_profile", 0L)
                    .containsEntry("headgate_workflow", 1L);
        }
    }

    /** One day: half of the keys on a fair queue, and of everything else that has a name a new one. */
    private void live(Rig rig, int day) {
        ScriptedWorker worker = rig.register("worker-" + day, "plain", "fair");
        List<NewJob> jobs = new ArrayList<>();
        while (keys < (long) KEYS * day / DAYS) {
            String tenant = "tenant:" + ++keys;
            jobs.add(job(keys % 2 == 0 ? "plain" : "fair")
                    .gate(tenant, "seen")
                    .dedup("once-" + keys)
                    .attempts(1)
                    .build());
        }
        for (int from = 0; from < jobs.size(); from += 1_000) {
            rig.store().enqueue(jobs.subList(from, Math.min(jobs.size(), from + 1_000)));
        }
        List<JobId> started = worker.claim(1_000);
        while (!started.isEmpty()) {
            worker.report(started.getFirst(), null, "one of " + started.size());
            worker.bring(started.getFirst(), new Outcome.Failed("no"));
            worker.finishAll();
            started = worker.claim(1_000);
        }
        List<JobId> family = rig.enqueue(job("plain"), job("plain").children(0));
        worker.claim(9);
        worker.finishAll();
        worker.claim(9);
        worker.finishAll();
        assertThat(rig.state(family.getLast()).isTerminal()).isTrue();
        for (int i = 0; i < 12; i++) {
            rig.policy("gate tenant:special", "concurrency " + (day * 12 + i));
        }
        new ResourceStore(rig.store().backend())
                .declare(Map.of("type-" + day, new Declared(Needs.parse("memory=1000"), null)));
        new RunStore(rig.store().backend()).define("ship", day, "q\n\na\na");
        new PermitStore(rig.store().backend())
                .ask(List.of(GateKey.gate("tenant:limiter-" + day)), 1, day, Duration.ofHours(1));
        rig.advance(Duration.ofDays(1));
        rig.lose(worker);
    }

    /** What the workers of a store do now and then. */
    private static void tidy(Rig rig, PruneEnded ended) {
        ended.run();
        rig.store().pruneJournal();
        rig.store().pruneGates();
        rig.store().pruneRecords();
    }

    private static Map<String, Long> rows(Connection connection) throws SQLException {
        Map<String, Long> rows = new TreeMap<>();
        try (Statement statement = connection.createStatement()) {
            List<String> tables = new ArrayList<>();
            try (ResultSet found = statement.executeQuery(
                    "select name from sqlite_master where type = 'table' and name like 'headgate_%'")) {
                while (found.next()) {
                    tables.add(found.getString(1));
                }
            }
            for (String table : tables) {
                try (ResultSet count = statement.executeQuery("select count(*) from " + table)) {
                    count.next();
                    rows.put(table, count.getLong(1));
                }
            }
        }
        return rows;
    }
}
