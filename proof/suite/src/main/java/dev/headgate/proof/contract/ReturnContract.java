package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.lease.EndedLease;
import dev.headgate.job.Attempt;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.job.OperationResult;
import dev.headgate.job.Outcome;
import dev.headgate.job.ParkReason;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every way a job can come back from its worker: what it costs, what it frees, where the job goes. */
public interface ReturnContract extends StoreFixture {
    @Test
    default void anImmediateRetryKeepsItsPlaceBeforeEveryWaiter(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        JobId first = rig.enqueue(job("mail").gate("a"));
        JobId waiter = rig.enqueue(job("mail").gate("a").priority(9));
        ScriptedWorker worker = rig.worker("mail");
        rig.store().reschedule(waiter, rig.time().now().plusSeconds(1));
        assertThat(worker.claim(2)).containsExactly(first);
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.claim(1)).isEmpty();
        assertThat(worker.retryNow(first)).containsExactly(first);
        assertThat(worker.lease(first).lease().attempt()).isEqualTo(2);
        assertThat(rig.leases("gate a")).isEqualTo(1);
        worker.finish(first);
        assertThat(worker.claim(1)).containsExactly(waiter);
    }

    @Test
    default void aDelayedRetryFreesItsPlace(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        JobId first = rig.enqueue(job("mail").gate("a"));
        JobId waiter = rig.enqueue(job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(2);
        assertThat(worker.retryAfter(first, Duration.ofSeconds(10))).isTrue();
        assertThat(rig.state(first)).isEqualTo(JobState.SCHEDULED);
        assertThat(worker.claim(2)).containsExactly(waiter);
        rig.advance(Duration.ofSeconds(10));
        assertThat(worker.claim(2)).isEmpty();
        worker.finish(waiter);
        assertThat(worker.claim(2)).containsExactly(first);
    }

    @Test
    default void aDelayedRetryKeepsItsOldPlaceInItsLane(Rig rig) {
        JobId first = rig.enqueue(job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        worker.retryAfter(first, Duration.ofSeconds(1));
        JobId younger = rig.enqueue(job("mail").gate("a"));
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.claim(2)).containsExactly(first, younger);
    }

    @Test
    default void aRetryAtAnInstantInThePastWakesItsLane(Rig rig) {
        JobId id = rig.enqueue(job("mail").gate("api"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        worker.retryAt(id, rig.time().now().minusSeconds(1));
        assertThat(rig.state(id)).isEqualTo(JobState.QUEUED);
        assertThat(worker.claim(1)).containsExactly(id);
    }

    @Test
    default void aReturnIsNotedUnderTheNumberOfTheAttemptThatWasGivenBack(Rig rig) {
        JobId id = rig.enqueue(job("mail").attempts(9));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        worker.handBack(id, "trouble");
        assertThat(rig.status(id).leases().attempt()).isZero();
        worker.claim(1);
        worker.retryAfter(id, Duration.ofSeconds(1));
        rig.advance(Duration.ofSeconds(1));
        worker.claim(1);
        worker.handBack(id, "trouble");
        assertThat(rig.store().attempts(id)).extracting(Attempt::number).containsExactly(1, 1, 2);
    }

    /** What the turn saw of due jobs before it wrote the retry must not be its answer. */
    @Test
    default void theTurnThatBringsAJobBackForLaterSaysWhenToLookAgain(Rig rig) {
        JobId id = rig.enqueue(job("mail"));
        rig.enqueue(job("mail").after(Duration.ofHours(1)));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        EndedLease retry =
                new EndedLease(worker.lease(id), new Outcome.RetryAfter(Duration.ofSeconds(5), "try again later"));
        assertThat(worker.turn(1, retry).nextWake()).isEqualTo(Duration.ofSeconds(5));
        rig.advance(Duration.ofSeconds(5));
        assertThat(worker.claim(1)).containsExactly(id);
        assertThat(worker.turn(1, worker.ended()).nextWake()).isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
    }

    @Test
    default void aRestartThatARateDeniesGoesBackAndStartsWhenItMay(Rig rig) {
        rig.policy("queue mail", "rate 1/1s burst 1");
        JobId id = rig.enqueue(job("mail"));
        JobId younger = rig.enqueue(job("mail"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(1)).containsExactly(id);
        assertThat(worker.retryNow(id)).isEmpty();
        assertThat(rig.state(id)).isEqualTo(JobState.QUEUED);
        assertThat(rig.status(id).leases().attempt()).isEqualTo(1);
        assertThat(worker.sleep()).isEqualTo(Duration.ofSeconds(1));
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.claim(2)).containsExactly(id);
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.claim(2)).containsExactly(younger);
    }

    @Test
    default void aRestartThatAGateDeniesWaitsInItsLine(Rig rig) {
        rig.policy("gate api", "rate 1/1s burst 1");
        JobId id = rig.enqueue(job("mail").gate("api"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(1)).containsExactly(id);
        assertThat(worker.retryNow(id)).isEmpty();
        assertThat(worker.claim(1)).isEmpty();
        assertThat(rig.leases("gate api")).isZero();
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.claim(1)).containsExactly(id);
        assertThat(rig.status(id).leases().attempt()).isEqualTo(2);
    }

    @Test
    default void aRetryAtAnInstantWaitsForItAndOneInThePastDoesNot(Rig rig) {
        JobId id = rig.enqueue(job("mail").attempts(9));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        worker.retryAt(id, rig.time().now().plusSeconds(5));
        assertThat(worker.claim(1)).isEmpty();
        rig.advance(Duration.ofSeconds(5));
        assertThat(worker.claim(1)).containsExactly(id);
        worker.retryAt(id, rig.time().now().minusSeconds(5));
        assertThat(worker.claim(1)).containsExactly(id);
    }

    @Test
    default void aHandBackBurnsNoAttemptAndKeepsThePlace(Rig rig) {
        JobId id = rig.enqueue(job("mail").gate("a"));
        JobId younger = rig.enqueue(job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        assertThat(worker.handBack(id)).isTrue();
        JobStatus status = rig.status(id);
        assertThat(status.state()).isEqualTo(JobState.QUEUED);
        assertThat(status.leases().attempt()).isZero();
        assertThat(status.leases().worker()).isNull();
        assertThat(rig.store().attempts(id)).isEmpty();
        assertThat(rig.leases("gate a")).isZero();
        assertThat(worker.claim(2)).containsExactly(id, younger);
    }

    @Test
    default void aWorkerThatLeavesGivesBackWhatItHoldsWithoutABurntAttempt(Rig rig) {
        List<JobId> ids = rig.enqueue(3, job("mail").gate("a"));
        ScriptedWorker leaving = rig.worker("mail");
        leaving.claim(3);
        leaving.leave();
        assertThat(rig.leases("gate a")).isZero();
        assertThat(rig.status(ids.getFirst()).leases().attempt()).isZero();
        assertThat(rig.status(ids.getFirst()).leases().lost()).isZero();
        assertThat(rig.worker("mail").claim(3)).isEqualTo(ids);
    }

    @Test
    default void aLostWorkersJobsGoBackWithTheirPlacesAndTheAttemptIsNoted(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        JobId id = rig.enqueue(job("mail").gate("a"));
        ScriptedWorker lost = rig.worker("mail");
        lost.claim(1);
        rig.lose(lost);
        JobStatus status = rig.status(id);
        assertThat(status.state()).isEqualTo(JobState.QUEUED);
        assertThat(status.leases().lost()).isEqualTo(1);
        assertThat(status.leases().attempt()).isEqualTo(1);
        assertThat(rig.store().attempts(id)).singleElement().satisfies(attempt -> {
            assertThat(attempt.outcome()).isEqualTo("lost");
            assertThat(attempt.worker()).isEqualTo(lost.id());
            assertThat(attempt.number()).isEqualTo(1);
        });
        assertThat(rig.worker("mail").claim(1)).containsExactly(id);
    }

    @Test
    default void aJobThatLosesItsWorkerOnItsLastAttemptFails(Rig rig) {
        JobId id = rig.enqueue(job("mail").attempts(1));
        ScriptedWorker doomed = rig.worker("mail");
        doomed.claim(1);
        rig.lose(doomed);
        assertThat(rig.status(id).state()).isEqualTo(JobState.FAILED);
        assertThat(rig.status(id).report().detail()).contains("attempt 1 of 1");
    }

    @Test
    default void aFailureIsForGoodAndKeepsItsError(Rig rig) {
        JobId id = rig.enqueue(job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        rig.advance(Duration.ofSeconds(2));
        worker.fail(id, "no such address");
        JobStatus status = rig.status(id);
        assertThat(status.state()).isEqualTo(JobState.FAILED);
        assertThat(status.report().detail()).isEqualTo("no such address");
        assertThat(status.times().finishedAt()).isEqualTo(rig.time().now());
        assertThat(rig.leases("gate a")).isZero();
        rig.advance(Duration.ofHours(1));
        assertThat(worker.claim(1)).isEmpty();
    }

    @Test
    default void aParkedJobFreesItsPlaceBurnsNoAttemptAndBlocksNobody(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        JobId odd = rig.enqueue(job("mail").gate("a").type("odd"));
        JobId next = rig.enqueue(job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        worker.park(odd, ParkReason.UNKNOWN_HANDLER);
        assertThat(rig.status(odd).state()).isEqualTo(JobState.PARKED);
        assertThat(rig.status(odd).leases().attempt()).isZero();
        assertThat(worker.claim(2)).containsExactly(next);
    }

    @Test
    default void aWorkerThatHasTheHandlerRevivesWhatWasParkedForItAndNothingElse(Rig rig) {
        JobId odd = rig.enqueue(job("mail").gate("a").type("odd"));
        JobId odder = rig.enqueue(job("mail").type("odder"));
        JobId broken = rig.enqueue(job("mail").type("odd"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(3);
        worker.park(odd, ParkReason.UNKNOWN_HANDLER);
        worker.park(odder, ParkReason.UNKNOWN_HANDLER);
        worker.park(broken, ParkReason.UNREADABLE_PAYLOAD);
        ScriptedWorker knowing = rig.worker("other");
        knowing.leave();
        knowing.register("odd", "work");
        assertThat(worker.claim(3)).containsExactly(odd);
        assertThat(rig.state(odder)).isEqualTo(JobState.PARKED);
        assertThat(rig.state(broken)).isEqualTo(JobState.PARKED);
    }

    @Test
    default void aRunningJobThatIsCancelledIsAskedToStop(Rig rig) {
        JobId id = rig.enqueue(job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        assertThat(worker.heartbeat().toStop()).isEmpty();
        assertThat(rig.store().cancel(id)).isEqualTo(OperationResult.REQUESTED);
        assertThat(worker.heartbeat().toStop()).containsExactly(id.value());
        worker.cancelled(id);
        assertThat(rig.state(id)).isEqualTo(JobState.CANCELLED);
        assertThat(rig.leases("gate a")).isZero();
    }

    @Test
    default void aJobThatWasAskedToStopNeverStartsAgain(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        JobId again = cancelledWhileRunning(rig, worker);
        assertThat(worker.retryNow(again)).isEmpty();
        JobId later = cancelledWhileRunning(rig, worker);
        worker.retryAfter(later, Duration.ofSeconds(1));
        JobId then = cancelledWhileRunning(rig, worker);
        worker.retryAt(then, rig.time().now().plusSeconds(1));
        JobId back = cancelledWhileRunning(rig, worker);
        worker.handBack(back);
        JobId aside = cancelledWhileRunning(rig, worker);
        worker.park(aside, ParkReason.UNKNOWN_HANDLER);
        rig.advance(Duration.ofMinutes(1));
        assertThat(worker.claim(9)).isEmpty();
        assertThat(List.of(again, later, then, back, aside))
                .allSatisfy(id -> assertThat(rig.state(id)).isEqualTo(JobState.CANCELLED));
        assertThat(rig.leases("gate a")).isZero();
    }

    @Test
    default void aCancelledJobWhoseWorkerIsLostOrLeavesIsCancelled(Rig rig) {
        ScriptedWorker lost = rig.worker("mail");
        JobId first = cancelledWhileRunning(rig, lost);
        rig.lose(lost);
        ScriptedWorker leaving = rig.worker("mail");
        JobId second = cancelledWhileRunning(rig, leaving);
        leaving.leave();
        assertThat(rig.state(first)).isEqualTo(JobState.CANCELLED);
        assertThat(rig.state(second)).isEqualTo(JobState.CANCELLED);
        assertThat(rig.leases("gate a")).isZero();
    }

    @Test
    default void aJobThatFinishesBeforeItCanStopHasSucceeded(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        JobId id = cancelledWhileRunning(rig, worker);
        worker.finish(id);
        assertThat(rig.state(id)).isEqualTo(JobState.SUCCEEDED);
    }

    private static JobId cancelledWhileRunning(Rig rig, ScriptedWorker worker) {
        JobId id = rig.enqueue(job("mail").gate("a"));
        assertThat(worker.claim(1)).containsExactly(id);
        assertThat(rig.store().cancel(id)).isEqualTo(OperationResult.REQUESTED);
        return id;
    }
}
