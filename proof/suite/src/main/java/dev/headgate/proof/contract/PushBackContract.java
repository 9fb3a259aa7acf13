package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.Outcome;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Gates that are shut for a time: by what lies behind them, or by an operator. */
public interface PushBackContract extends StoreFixture {
    private static Outcome pushedBack(@Nullable Duration retryAfter) {
        return new Outcome.PushedBack("api", retryAfter, 0, "status 429");
    }

    @Test
    default void aPushBackShutsTheGateForEveryWorkerAndBurnsNoAttempt(Rig rig) {
        rig.policy("gate api", "concurrency 5");
        ScriptedWorker one = rig.worker("mail");
        ScriptedWorker two = rig.worker("video");
        JobId first = rig.enqueue(job("mail").gate("api"));
        assertThat(one.claim(1)).containsExactly(first);
        JobId other = rig.enqueue(job("video").gate("api"));
        JobId unconcerned = rig.enqueue(job("video"));
        assertThat(one.bring(first, pushedBack(Duration.ofSeconds(20)))).isTrue();
        assertThat(rig.status(first).leases().attempt()).isZero();
        assertThat(rig.state(first)).isEqualTo(JobState.QUEUED);
        assertThat(two.claimAll()).containsExactly(unconcerned);
        assertThat(rig.explain(other).summary()).contains("gate api", "hold", "status 429");
        assertThat(Objects.requireNonNull(two.sleep())).isEqualTo(Duration.ofSeconds(20));
        rig.advance(Duration.ofSeconds(20).minusNanos(1_000));
        assertThat(two.claimAll()).isEmpty();
        assertThat(one.claimAll()).isEmpty();
    }

    @Test
    default void theGateReopensWithOneProbeInTheOldPlaceThenAsBefore(Rig rig) {
        rig.policy("gate api", "concurrency 5");
        ScriptedWorker worker = rig.worker("mail");
        JobId first = rig.enqueue(job("mail").gate("api"));
        List<JobId> rest = rig.enqueue(3, job("mail").gate("api"));
        worker.claim(1);
        worker.bring(first, pushedBack(Duration.ofSeconds(5)));
        rig.advance(Duration.ofSeconds(5));
        assertThat(worker.claim(9)).containsExactly(first);
        assertThat(rig.explain(rest.getFirst()).summary()).contains("probe");
        worker.finish(first);
        assertThat(worker.claim(9)).containsExactlyElementsOf(rest);
    }

    @Test
    default void aProbeThatIsPushedBackBacksOffLongerAndALostOneLetsAnotherTry(Rig rig) {
        rig.policy("gate api", "concurrency 5; back-off 1s x2 max 10m");
        ScriptedWorker worker = rig.worker("mail");
        JobId first = rig.enqueue(job("mail").gate("api"));
        worker.claim(1);
        worker.bring(first, pushedBack(null));
        assertThat(worker.sleep()).isEqualTo(Duration.ofSeconds(1));
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.claim(9)).containsExactly(first);
        worker.bring(first, pushedBack(null));
        assertThat(worker.sleep()).isEqualTo(Duration.ofSeconds(2));
        rig.advance(Duration.ofSeconds(2));
        ScriptedWorker doomed = rig.worker("mail");
        assertThat(doomed.claim(9)).containsExactly(first);
        assertThat(worker.claim(9)).isEmpty();
        rig.lose(doomed);
        assertThat(worker.claim(9)).containsExactly(first);
    }

    @Test
    default void pushBacksOfOneEpisodeCountOnceAndTheLongestStands(Rig rig) {
        rig.policy("gate api", "concurrency 5; back-off 1s x2 max 10m");
        ScriptedWorker worker = rig.worker("mail");
        List<JobId> jobs = rig.enqueue(3, job("mail").gate("api"));
        worker.claim(3);
        worker.bring(jobs.get(0), pushedBack(null));
        worker.bring(jobs.get(1), pushedBack(Duration.ofSeconds(7)));
        worker.bring(jobs.get(2), pushedBack(Duration.ofSeconds(3)));
        assertThat(worker.sleep()).isEqualTo(Duration.ofSeconds(7));
        rig.advance(Duration.ofSeconds(7));
        assertThat(worker.claim(9)).containsExactly(jobs.getFirst());
        worker.bring(jobs.getFirst(), pushedBack(null));
        assertThat(worker.sleep()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    default void aRunningJobShutsItsGateAtOnceAndAZombieShutsNothing(Rig rig) {
        rig.policy("gate api", "concurrency 5");
        ScriptedWorker worker = rig.worker("mail");
        JobId first = rig.enqueue(job("mail").gate("api"));
        worker.claim(1);
        var pushed = new Outcome.PushedBack("api", Duration.ofSeconds(9), 0, "status 429");
        assertThat(rig.store().holds().pushBack(worker.lease(first), pushed).isHeld())
                .isTrue();
        JobId next = rig.enqueue(job("mail").gate("api"));
        assertThat(worker.claim(9)).isEmpty();
        var zombie = worker.lease(first);
        worker.finish(first);
        rig.store().clear(Rig.key("gate api"));
        assertThat(rig.store().holds().pushBack(zombie, pushed).isGone()).isTrue();
        assertThat(worker.claim(9)).containsExactly(next);
    }

    @Test
    default void anOperatorsHoldEndsByItselfTheLaterWinsAndClearOpens(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        List<JobId> jobs = rig.enqueue(2, job("mail").gate("api"));
        assertThat(rig.store().hold(Rig.key("gate api"), Duration.ofMinutes(2), "maintenance"))
                .isTrue();
        rig.store().hold(Rig.key("gate api"), Duration.ofMinutes(1), "shorter");
        assertThat(worker.claim(9)).isEmpty();
        assertThat(rig.explain(jobs.getFirst()).summary()).contains("maintenance");
        rig.advance(Duration.ofMinutes(2));
        assertThat(worker.claim(1)).containsExactly(jobs.getFirst());
        rig.store().hold(Rig.key("gate api"), Duration.ofMinutes(2), "again");
        assertThat(worker.claim(1)).isEmpty();
        rig.store().clear(Rig.key("gate api"));
        assertThat(worker.claim(1)).containsExactly(jobs.get(1));
    }

    @Test
    default void anAdaptiveLimitShrinksOnPushBackAndGrowsAgain(Rig rig) {
        rig.policy("gate api", "adaptive 1..8");
        ScriptedWorker worker = rig.worker("mail");
        rig.enqueue(60, job("mail").gate("api"));
        List<JobId> running = worker.claim(20);
        assertThat(running).hasSize(1);
        while (running.size() < 8) {
            worker.finishAll();
            running = worker.claim(20);
        }
        worker.bring(running.getFirst(), pushedBack(Duration.ofSeconds(1)));
        worker.finishAll();
        rig.advance(Duration.ofSeconds(1));
        worker.finish(worker.claim(20).getFirst());
        assertThat(worker.claim(20)).hasSizeBetween(4, 5);
    }
}
