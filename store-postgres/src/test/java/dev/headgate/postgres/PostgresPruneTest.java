package dev.headgate.postgres;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.job.JobStore;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.testkit.VirtualTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pruning beside other transactions: it waits for none of them, and takes nothing away that one of them has in hand. */
class PostgresPruneTest {
    private static final Duration WEEK = Duration.ofDays(7);

    private final VirtualTime time = new VirtualTime();
    private final String url = TestServer.freshSchema();

    private JobId ended(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId id = rig.enqueue(job("q"));
        worker.claim(1);
        worker.finishAll();
        return id;
    }

    @Test
    void whatAnEnqueueIsAboutToBeTiedToIsLeftOut() {
        try (Rig rig = new Rig(PostgresBackend.open(url, time), time);
                JobStore other = new JobStore(PostgresBackend.open(url, time))) {
            JobId held = ended(rig);
            JobId free = ended(rig);
            rig.advance(Duration.ofDays(8));
            int pruned = rig.store().backend().write(tx -> {
                assertThat(tx.history().hold(List.of(held.value()))).containsExactly(held.value());
                return other.prune(WEEK);
            });
            assertThat(pruned).isEqualTo(1);
            assertThat(rig.state(held)).isEqualTo(JobState.SUCCEEDED);
            assertThat(rig.store().find(free)).isNull();
            JobId after = rig.enqueue(job("q").after(held));
            assertThat(rig.state(after)).isEqualTo(JobState.QUEUED);
            assertThat(other.prune(WEEK)).as("now an edge keeps it").isZero();
        }
    }

    @Test
    void twoThatPruneAtOnceDoNotWaitForEachOther() {
        try (Rig rig = new Rig(PostgresBackend.open(url, time), time);
                JobStore other = new JobStore(PostgresBackend.open(url, time))) {
            JobId first = ended(rig);
            rig.advance(Duration.ofDays(8));
            int pruned = rig.store().backend().write(tx -> {
                assertThat(tx.history().delete(List.of(first.value()))).isEqualTo(1);
                return other.prune(WEEK);
            });
            assertThat(pruned).isZero();
            assertThat(rig.store().find(first)).isNull();
        }
    }
}
