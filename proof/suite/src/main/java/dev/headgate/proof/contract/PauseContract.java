package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.explain.Reason;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.limit.Pause;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pauses of queues, gates and job types. */
public interface PauseContract extends StoreFixture {
    private static void pause(Rig rig, Pause what) {
        rig.store().policyStore().pause(what, "ada", "a test");
    }

    private static boolean resume(Rig rig, Pause what) {
        return rig.store().policyStore().resume(what);
    }

    @Test
    default void aStarInTheMiddleOfAQueueIsRefusedInPausesAndPolicies(Rig rig) {
        String message =
                "expected a star only at the end, where it stands for all queues that begin so, got 'a*b'; say 'a*'";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> pause(rig, Pause.queue("a*b")))
                .withMessageContaining(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rig.policy("queue a*b", "concurrency 1"))
                .withMessageContaining(message);
        assertThat(rig.store().policyStore().pauses()).isEmpty();
        assertThat(rig.store().policies().version()).isZero();
        pause(rig, Pause.queue("a*"));
        pause(rig, Pause.gate("a*b"));
        rig.policy("queue a*", "concurrency 1").policy("gate a*b", "concurrency 1");
    }

    @Test
    default void aPausedQueueStartsNothingAndOthersGoOn(Rig rig) {
        ScriptedWorker worker = rig.worker("mail", "video");
        JobId plain = rig.enqueue(job("mail"));
        JobId gated = rig.enqueue(job("mail").gate("a"));
        pause(rig, Pause.queue("mail"));
        JobId other = rig.enqueue(job("video").gate("a"));
        assertThat(worker.claimAll()).containsExactly(other);
        assertThat(rig.explain(plain).summary()).contains("queue mail is paused");
        assertThat(rig.explain(plain).reason()).isEqualTo(new Reason.QueuePaused("mail"));
        assertThat(rig.store().policyStore().pauses().getFirst().note().reason())
                .isEqualTo("a test");
        assertThat(resume(rig, Pause.queue("mail"))).isTrue();
        assertThat(resume(rig, Pause.queue("mail"))).isFalse();
        assertThat(worker.claimAll()).containsExactlyInAnyOrder(plain, gated);
    }

    @Test
    default void alsoALaneThatStoodInALineWaitsWhileItsQueueIsPaused(Rig rig) {
        rig.policy("gate api", "rate 1/1s burst 1");
        ScriptedWorker worker = rig.worker("mail");
        List<JobId> jobs = rig.enqueue(2, job("mail").gate("api"));
        assertThat(worker.claim(2)).containsExactly(jobs.getFirst());
        pause(rig, Pause.queue("mail"));
        rig.advance(Duration.ofSeconds(2));
        assertThat(worker.claimAll()).isEmpty();
        resume(rig, Pause.queue("mail"));
        assertThat(worker.claimAll()).containsExactly(jobs.getLast());
    }

    @Test
    default void aPausedGateHoldsItsLineAndResumingMovesIt(Rig rig) {
        rig.policy("gate tenant:*", "concurrency 2");
        ScriptedWorker worker = rig.worker("mail");
        List<JobId> jobs = rig.enqueue(3, job("mail").gate("tenant:a"));
        JobId free = rig.enqueue(job("mail").gate("tenant:b"));
        pause(rig, Pause.gate("tenant:a"));
        assertThat(worker.claimAll()).containsExactly(free);
        assertThat(rig.explain(jobs.getFirst()).summary())
                .contains("gate tenant:a")
                .contains("paused");
        assertThat(rig.gate("gate tenant:a").shut()).contains("paused");
        assertThat(worker.sleep()).isNull();
        resume(rig, Pause.gate("tenant:a"));
        assertThat(worker.claimAll()).containsExactly(jobs.get(0), jobs.get(1));
    }

    @Test
    default void aPatternPausesAllThatItCovers(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(job("mail").gate("tenant:a"));
        rig.enqueue(job("mail").gate("tenant:b"));
        pause(rig, Pause.gate("tenant:*"));
        assertThat(worker.claimAll()).isEmpty();
        resume(rig, Pause.gate("tenant:*"));
        assertThat(worker.claimAll()).hasSize(2);
    }

    @Test
    default void anyNumberOfJobsOfAPausedTypeHidesNoneBehindThem(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(5, job("mail").type("send"));
        JobId plain = rig.enqueue(job("mail").type("read"));
        rig.enqueue(5, job("mail").type("send").gate("a"));
        JobId gated = rig.enqueue(job("mail").type("read").gate("a"));
        pause(rig, Pause.type("send"));
        assertThat(worker.claim(2)).containsExactly(plain, gated);
    }

    @Test
    default void aPausedTypeStepsAsideAndComesBackToItsPlace(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        JobId first = rig.enqueue(job("mail").type("send").gate("a"));
        JobId second = rig.enqueue(job("mail").type("read").gate("a"));
        JobId third = rig.enqueue(job("mail").type("send"));
        JobId fourth = rig.enqueue(job("mail").type("read"));
        pause(rig, Pause.type("send"));
        assertThat(worker.claimAll()).containsExactlyInAnyOrder(second, fourth);
        assertThat(rig.state(first)).isEqualTo(JobState.PARKED);
        assertThat(rig.explain(first).summary()).contains("job type 'send' is paused");
        JobId fifth = rig.enqueue(job("mail").type("read").gate("a"));
        resume(rig, Pause.type("send"));
        assertThat(worker.claimAll()).containsExactlyInAnyOrder(first, third, fifth);
        assertThat(rig.status(first).leases().attempt()).isEqualTo(1);
    }

    @Test
    default void aLongLaneOfAPausedTypeHidesNothing(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(2500, job("mail").type("send").gate("a"));
        JobId behind = rig.enqueue(job("mail").type("read").gate("a"));
        pause(rig, Pause.type("send"));
        assertThat(worker.claim(5)).containsExactly(behind);
        resume(rig, Pause.type("send"));
        assertThat(rig.count("mail", JobState.QUEUED)).isEqualTo(2500);
        assertThat(worker.claim(5)).hasSize(5);
    }

    @Test
    default void whatRunsGoesOn(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        JobId running = rig.enqueue(job("mail").gate("a"));
        worker.claimAll();
        pause(rig, Pause.queue("mail"));
        pause(rig, Pause.gate("a"));
        assertThat(worker.finish(running)).isTrue();
        assertThat(rig.state(running)).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    default void aRetryInItsSlotDoesNotStartWhileItsTypeIsPaused(Rig rig) {
        JobId id = rig.enqueue(job("mail").type("send").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(1)).containsExactly(id);
        pause(rig, Pause.type("send"));
        assertThat(worker.retryNow(id)).isEmpty();
        assertThat(worker.claim(1)).isEmpty();
        resume(rig, Pause.type("send"));
        assertThat(worker.claim(1)).containsExactly(id);
    }
}
