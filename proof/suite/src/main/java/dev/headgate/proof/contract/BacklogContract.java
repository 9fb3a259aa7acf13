package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.limit.BacklogFullException;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Caps on waiting jobs: exact in the enqueue, whatever way a job came to wait or ceased to. */
public interface BacklogContract extends StoreFixture {
    @Test
    default void aFullBacklogRefusesOneAndManyAndStoresNothing(Rig rig) {
        rig.policy("gate tenant:*", "backlog 3 reject");
        rig.enqueue(2, job("mail").gate("tenant:a"));
        assertThatExceptionOfType(BacklogFullException.class)
                .isThrownBy(() -> rig.enqueue(2, job("mail").gate("tenant:a")))
                .withMessageContaining("gate tenant:a: 2 jobs wait, at most 3 may");
        assertThat(rig.count("mail", JobState.QUEUED)).isEqualTo(2);
        rig.enqueue(job("mail").gate("tenant:a"));
        rig.enqueue(3, job("mail").gate("tenant:b"));
        assertThatExceptionOfType(BacklogFullException.class)
                .isThrownBy(() -> rig.enqueue(job("mail").gate("tenant:a")));
    }

    @Test
    default void whatRunsOrHasEndedDoesNotCountAndWhatComesBackDoes(Rig rig) {
        rig.policy("queue mail", "backlog 2 reject");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(2, job("mail"));
        List<JobId> running = worker.claim(2);
        rig.enqueue(2, job("mail"));
        worker.retryAfter(running.getFirst(), Duration.ofMinutes(1));
        assertThatExceptionOfType(BacklogFullException.class)
                .isThrownBy(() -> rig.enqueue(job("mail")))
                .withMessageContaining("queue mail: 3 jobs wait");
        worker.finish(running.get(1));
        rig.store().cancel(running.getFirst());
        assertThat(worker.claim(1)).hasSize(1);
        rig.enqueue(job("mail"));
    }

    @Test
    default void scheduledJobsCountToo(Rig rig) {
        rig.policy("queue mail", "backlog 1");
        rig.enqueue(job("mail").after(Duration.ofHours(1)));
        assertThatExceptionOfType(BacklogFullException.class).isThrownBy(() -> rig.enqueue(job("mail")));
    }

    @Test
    default void theOldestAreDroppedWhereThePolicySaysSo(Rig rig) {
        rig.policy("gate feed", "backlog 2 drop-oldest");
        JobId first = rig.enqueue(job("mail").gate("feed"));
        JobId second = rig.enqueue(job("mail").gate("feed", "other"));
        JobId third = rig.enqueue(job("mail").gate("feed"));
        assertThat(rig.state(first)).isEqualTo(JobState.CANCELLED);
        assertThat(rig.status(first).report().detail()).contains("dropped", "gate feed");
        JobId fourth = rig.enqueue(job("mail").gate("feed"));
        assertThat(rig.state(second)).isEqualTo(JobState.CANCELLED);
        assertThat(rig.worker("mail").claimAll()).containsExactly(third, fourth);
        assertThatExceptionOfType(BacklogFullException.class)
                .isThrownBy(() -> rig.enqueue(3, job("mail").gate("feed")));
    }

    @Test
    default void aCapCountsWhatWaitedBeforeItAndStopsCountingWhenLifted(Rig rig) {
        rig.enqueue(2, job("mail").gate("a"));
        rig.policy("gate a", "backlog 2 reject; concurrency 9");
        assertThatExceptionOfType(BacklogFullException.class)
                .isThrownBy(() -> rig.enqueue(job("mail").gate("a")));
        rig.policy("gate a", "concurrency 9");
        JobId third = rig.enqueue(job("mail").gate("a"));
        rig.policy("gate a", "backlog 3 reject");
        assertThatExceptionOfType(BacklogFullException.class)
                .isThrownBy(() -> rig.enqueue(job("mail").gate("a")));
        rig.store().cancel(third);
        rig.enqueue(job("mail").gate("a"));
    }

    @Test
    default void aRevivedJobCountsAgainAndIsNeverRefused(Rig rig) {
        rig.policy("gate a", "backlog 1 reject");
        JobId failed = rig.enqueue(job("mail").gate("a"));
        rig.store().cancel(failed);
        JobId other = rig.enqueue(job("mail").gate("a"));
        rig.store().retry(failed);
        assertThat(rig.state(failed)).isEqualTo(JobState.QUEUED);
        rig.store().cancel(other);
        assertThatExceptionOfType(BacklogFullException.class)
                .isThrownBy(() -> rig.enqueue(job("mail").gate("a")));
    }

    @Test
    default void aJobCountsForItsQueueAndOneGateAndForTwoGatesIsRefused(Rig rig) {
        rig.policy("queue mail", "backlog 2").policy("gate a", "backlog 1").policy("gate b", "backlog 9");
        rig.enqueue(job("mail").gate("a"));
        rig.enqueue(job("mail"));
        assertThatExceptionOfType(BacklogFullException.class)
                .isThrownBy(() -> rig.enqueue(job("mail")))
                .withMessageContaining("queue mail");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rig.enqueue(job("video").gate("a", "b")))
                .withMessageContaining("'a' and 'b'");
    }
}
