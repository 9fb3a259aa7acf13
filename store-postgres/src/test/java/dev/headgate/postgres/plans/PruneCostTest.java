package dev.headgate.postgres.plans;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobFilter;
import dev.headgate.postgres.PostgresBackend;
import dev.headgate.proof.Rig;
import dev.headgate.testkit.VirtualTime;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each batch of a long prune or redrive costs what the first one did. Nothing vacuums meanwhile, so what went before is still
 * there to be stumbled over.
 */
class PruneCostTest {
    private static final int ROWS = 40_000;

    /** What may come on top: a deeper index, a page that was split. */
    private static final double SLACK = 1.5;

    @TempDir
    private Path folder;

    @Test
    void theLastBatchOfALongPruneLooksAtAsManyPagesAsTheFirst() throws Exception {
        VirtualTime time = new VirtualTime();
        try (PlanLog log = PlanLog.start(folder);
                Connection quiet = log.quietly();
                Statement statement = quiet.createStatement();
                Rig rig = new Rig(PostgresBackend.open(log.url(), time), time)) {
            statement.execute(history("SUCCEEDED"));
            log.take();
            assertThat(rig.store().prune(Duration.ofDays(1))).isEqualTo(ROWS);
            assertFlat(log.take());
        }
    }

    @Test
    void theLastBatchOfALongRedriveLooksAtAsManyPagesAsTheFirst() throws Exception {
        VirtualTime time = new VirtualTime();
        try (PlanLog log = PlanLog.start(folder);
                Connection quiet = log.quietly();
                Statement statement = quiet.createStatement();
                Rig rig = new Rig(PostgresBackend.open(log.url(), time), time)) {
            statement.execute(history("FAILED"));
            statement.execute("analyze");
            log.take();
            int done = 0;
            for (int part = 0; part < ROWS / JobFilter.LIMIT_MAX; part++) {
                done += rig.store().redrive(JobFilter.all().limit(JobFilter.LIMIT_MAX));
            }
            assertThat(done).isEqualTo(ROWS);
            assertFlat(log.take().stream()
                    .filter(plan -> !plan.sql().startsWith("select")) // the lists have bounds of their own
                    .toList());
        }
    }

    /** By the sum of all statements of the first and of the last tenth. */
    private static void assertFlat(List<Plan> plans) {
        int tenth = plans.size() / 10;
        assertThat(tenth).as("statements").isGreaterThan(3);
        long first = pages(plans.subList(tenth, 2 * tenth));
        long last = pages(plans.subList(plans.size() - tenth, plans.size()));
        assertThat((double) last)
                .as("pages of the last tenth, beside %d of the second", first)
                .isLessThanOrEqualTo(SLACK * first);
    }

    private static long pages(List<Plan> plans) {
        return plans.stream().mapToLong(Plan::pages).sum();
    }

    private static String history(String state) {
        return """
                insert into headgate_history (
                    id, queue, gates, lane, type, payload, cost, priority, front, rank, state, enqueued_at, run_at, started_at, attempt,
                    attempts_max, lost, epoch, worker, finished_at
                )
                select
                    nextval('headgate_job_id'), 'q', '', 'lane', 'noop', '{"text":"some twenty bytes"}', '1', 0, 0, g, '%s', g, g, g, 1,
                    3, 0, 1, 'worker', g
                from generate_series(1, %d) as g
                """.formatted(state, ROWS);
    }
}
