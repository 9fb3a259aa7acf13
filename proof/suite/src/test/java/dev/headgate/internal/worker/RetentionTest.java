package dev.headgate.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobId;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Retention;
import dev.headgate.policy.PolicyVersion;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is stored decides how long ended jobs are kept; a worker may ask for more for its own queues, and never for less. */
class RetentionTest {
    private static JobId runOne(SteppedWorker worker) {
        JobId id = worker.enqueue();
        worker.turn();
        worker.work();
        worker.turn();
        assertThat(worker.status(id).state().isTerminal()).isTrue();
        return id;
    }

    /** Some time later, after the housekeeping. */
    private static boolean isKept(SteppedWorker worker, JobId id, Duration later) {
        worker.pass(later);
        worker.round("janitor");
        worker.pass(Duration.ofMinutes(6));
        worker.round("janitor");
        return worker.store.find(id) != null;
    }

    @Test
    void aShortOneOfAWorkerDeletesNothing() {
        SteppedWorker worker = new SteppedWorker().start(new Retention(Duration.ofSeconds(1)), job -> {});
        JobId id = runOne(worker);
        assertThat(isKept(worker, id, Duration.ofDays(1))).isTrue();
        assertThat(worker.store.policyStore().history(Long.MAX_VALUE, 9)).isEmpty();
        assertThat(isKept(worker, id, Duration.ofDays(6)))
                .as("after what is stored: seven days")
                .isFalse();
    }

    @Test
    void aLongOneIsStoredAsAVersion() {
        SteppedWorker worker = new SteppedWorker().start(new Retention(Duration.ofDays(30)), job -> {});
        JobId id = runOne(worker);
        assertThat(isKept(worker, id, Duration.ofDays(20))).isTrue();
        List<PolicyVersion> versions = worker.store.policyStore().history(Long.MAX_VALUE, 9);
        assertThat(versions).singleElement().satisfies(version -> {
            assertThat(version.author()).isEqualTo("worker stepped");
            assertThat(version.changes().getFirst().key()).isEqualTo(GateKey.queue("q"));
            assertThat(version.changes().getFirst().after().text()).isEqualTo("retention 30d");
        });
        assertThat(isKept(worker, id, Duration.ofDays(11))).isFalse();
    }
}
