package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.Turn;
import dev.headgate.job.Attempt;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.job.OperationResult;
import dev.headgate.job.Outcome;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.JobRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Jobs that come back again and again because of their worker slow down and end; healthy returns cost nothing. */
public interface OwnTroubleContract extends StoreFixture {
    String TROUBLE = "no heartbeat reached the store";

    @Test
    default void aReturnForTroubleUsesNoAttemptAndIsNoted(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        JobId id = rig.enqueue(job("mail").gate("a"));
        JobId next = rig.enqueue(job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        assertThat(worker.handBack(id, TROUBLE)).isTrue();
        JobStatus status = rig.status(id);
        assertThat(status.state()).isEqualTo(JobState.QUEUED);
        assertThat(status.leases().attempt()).isZero();
        assertThat(status.leases().lost()).isZero();
        assertThat(status.report().detail())
                .contains("1 of at most 20 in a row")
                .contains("at once")
                .endsWith(TROUBLE);
        assertThat(rig.store().attempts(id)).singleElement().satisfies(attempt -> {
            assertThat(attempt.outcome()).isEqualTo("returned");
            assertThat(attempt.error()).isEqualTo(TROUBLE);
            assertThat(attempt.number()).isEqualTo(1);
            assertThat(attempt.worker()).isEqualTo(worker.id());
        });
        assertThat(rig.explain(id).summary()).contains("given back by its worker (1 of at most 20 in a row");
        assertThat(rig.leases("gate a")).isZero();
        assertThat(worker.claim(1)).as("it keeps its place").containsExactly(id);
        worker.finish(id);
        assertThat(worker.claim(1)).containsExactly(next);
    }

    @Test
    default void returnsInARowSlowDownAndEndWithTheReasons(Rig rig) {
        JobId id = rig.enqueue(job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        List<Long> pauses = new ArrayList<>();
        for (int time = 1; time <= 20; time++) {
            assertThat(worker.claim(1)).as("start %d", time).containsExactly(id);
            Turn turn =
                    worker.turn(0, new EndedLease(worker.lease(id), new Outcome.HandedBack(time % 4 == 0 ? "b" : "a")));
            assertThat(turn.refused()).isEmpty();
            assertThat(turn.ends().givenUp().keySet()).isEqualTo(time < 20 ? Set.of() : Set.of(id.value()));
            if (time < 20) {
                assertThat(rig.state(id)).isEqualTo(time == 1 ? JobState.QUEUED : JobState.SCHEDULED);
                Duration pause = time == 1 ? Duration.ZERO : Objects.requireNonNull(worker.sleep());
                pauses.add(pause.toSeconds());
                rig.advance(pause);
            }
        }
        assertThat(pauses)
                .containsExactly(
                        0L, 1L, 2L, 4L, 8L, 16L, 32L, 64L, 128L, 256L, 300L, 300L, 300L, 300L, 300L, 300L, 300L, 300L,
                        300L);
        JobStatus status = rig.status(id);
        assertThat(status.state()).isEqualTo(JobState.FAILED);
        assertThat(status.report().detail())
                .startsWith(
                        "its workers gave it back 20 times in a row, 20 is the most; no attempt ended. Why: a (15 times); b (5 times);")
                .contains("give the pool more connections")
                .endsWith("then retry the job");
        assertThat(rig.store().attempts(id))
                .hasSize(20)
                .last()
                .satisfies(last -> assertThat(last.outcome()).isEqualTo("failed"));
        assertThat(rig.leases("gate a")).isZero();
    }

    @Test
    default void aRetriedJobBeginsAnew(Rig rig) {
        JobId id = rig.enqueue(job("mail"));
        ScriptedWorker worker = rig.worker("mail");
        returnToItsEnd(rig, worker, id);
        assertThat(rig.state(id)).isEqualTo(JobState.FAILED);
        assertThat(rig.store().retry(id)).isEqualTo(OperationResult.DONE);
        assertThat(worker.claim(1)).containsExactly(id);
        worker.handBack(id, TROUBLE);
        assertThat(rig.status(id).report().detail()).contains("1 of at most 20 in a row");
    }

    private static void returnToItsEnd(Rig rig, ScriptedWorker worker, JobId id) {
        for (int time = 1; time <= 20; time++) {
            rig.advance(Duration.ofMinutes(6));
            assertThat(worker.claim(1)).containsExactly(id);
            worker.handBack(id, TROUBLE);
        }
    }

    @Test
    default void anAttemptThatEndsBeginsTheCountAnew(Rig rig) {
        JobId id = rig.enqueue(job("mail").attempts(3));
        ScriptedWorker worker = rig.worker("mail");
        for (int time = 1; time <= 19; time++) {
            rig.advance(Duration.ofMinutes(6));
            assertThat(worker.claim(1)).containsExactly(id);
            worker.handBack(id, TROUBLE);
        }
        rig.advance(Duration.ofMinutes(6));
        assertThat(worker.claim(1)).containsExactly(id);
        worker.retryAfter(id, Duration.ofSeconds(1));
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.claim(1)).containsExactly(id);
        worker.handBack(id, TROUBLE);
        assertThat(rig.state(id)).isEqualTo(JobState.QUEUED);
        assertThat(rig.status(id).report().detail()).contains("1 of at most 20 in a row");
        assertThat(rig.status(id).leases().attempt()).isEqualTo(1);
    }

    /** Deploys, and starts that come too late for a limit: however often, they are not the job's fault. */
    @Test
    default void healthyReturnsAreNeverCounted(Rig rig) {
        JobId id = rig.enqueue(job("mail").attempts(1));
        ScriptedWorker worker = rig.worker("mail");
        for (int time = 1; time <= 50; time++) {
            assertThat(worker.claim(1)).containsExactly(id);
            assertThat(worker.handBack(id)).isTrue();
            assertThat(worker.claim(1)).containsExactly(id);
            assertThat(worker.bring(id, new Outcome.Late(Duration.ofMillis(5)))).isTrue();
            assertThat(worker.claim(1)).containsExactly(id);
            worker.leave();
            worker.register();
        }
        JobStatus status = rig.status(id);
        assertThat(status.state()).isEqualTo(JobState.QUEUED);
        assertThat(status.leases().attempt()).isZero();
        assertThat(rig.store().attempts(id)).isEmpty();
        assertThat(worker.claim(1)).containsExactly(id);
        worker.handBack(id, TROUBLE);
        assertThat(rig.status(id).report().detail()).contains("1 of at most 20 in a row");
    }

    @Test
    default void aReturnThatIsSentTwiceIsCountedOnce(Rig rig) {
        JobId id = rig.enqueue(job("mail"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        JobRow first = worker.lease(id);
        EndedLease back = new EndedLease(first, new Outcome.HandedBack(TROUBLE));
        assertThat(worker.turn(0, back).refused()).isEmpty();
        assertThat(worker.turn(0, back).refused()).containsExactly(id.value());
        assertThat(worker.claim(1)).containsExactly(id);
        assertThat(worker.turn(0, back).refused()).containsExactly(id.value());
        assertThat(rig.state(id)).isEqualTo(JobState.RUNNING);
        assertThat(rig.store().attempts(id)).hasSize(1);
    }

    @Test
    default void aCancelledJobThatComesBackForTroubleIsCancelled(Rig rig) {
        JobId id = rig.enqueue(job("mail"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        worker.handBack(id, TROUBLE);
        worker.claim(1);
        rig.store().cancel(id);
        worker.handBack(id, TROUBLE);
        assertThat(rig.state(id)).isEqualTo(JobState.CANCELLED);
        assertThat(rig.store().attempts(id)).extracting(Attempt::outcome).containsExactly("returned", "cancelled");
    }

    @Test
    default void aJobThatWaitsForOneThatEndsSoIsTold(Rig rig) {
        JobId id = rig.enqueue(job("mail"));
        JobId after = rig.enqueue(job("mail").after(id));
        ScriptedWorker worker = rig.worker("mail");
        returnToItsEnd(rig, worker, id);
        worker.claim(1);
        assertThat(rig.state(after)).isEqualTo(JobState.FAILED);
        assertThat(rig.status(after).report().detail())
                .contains("job %s, which it was to wait for, failed".formatted(id));
    }
}
