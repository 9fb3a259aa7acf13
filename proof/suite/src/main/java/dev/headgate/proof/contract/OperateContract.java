package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.job.OperationResult;
import dev.headgate.job.ParkReason;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** Cancel, retry, reschedule, delete and redrive: in every state, and what they do to gates and lines. */
public interface OperateContract extends StoreFixture {
    @Test
    default void cancelAnswersForEveryState(Rig rig) {
        assertAnswers(
                rig,
                (id, r) -> r.store().cancel(id),
                List.of(
                        new Case(JobState.SCHEDULED, OperationResult.DONE, JobState.CANCELLED),
                        new Case(JobState.QUEUED, OperationResult.DONE, JobState.CANCELLED),
                        new Case(JobState.PARKED, OperationResult.DONE, JobState.CANCELLED),
                        new Case(JobState.RUNNING, OperationResult.REQUESTED, JobState.RUNNING),
                        new Case(JobState.SUCCEEDED, OperationResult.WRONG_STATE, JobState.SUCCEEDED),
                        new Case(JobState.FAILED, OperationResult.WRONG_STATE, JobState.FAILED),
                        new Case(JobState.CANCELLED, OperationResult.WRONG_STATE, JobState.CANCELLED)));
    }

    @Test
    default void retryAnswersForEveryState(Rig rig) {
        assertAnswers(
                rig,
                (id, r) -> r.store().retry(id),
                List.of(
                        new Case(JobState.SCHEDULED, OperationResult.DONE, JobState.QUEUED),
                        new Case(JobState.QUEUED, OperationResult.WRONG_STATE, JobState.QUEUED),
                        new Case(JobState.PARKED, OperationResult.DONE, JobState.QUEUED),
                        new Case(JobState.RUNNING, OperationResult.WRONG_STATE, JobState.RUNNING),
                        new Case(JobState.SUCCEEDED, OperationResult.WRONG_STATE, JobState.SUCCEEDED),
                        new Case(JobState.FAILED, OperationResult.DONE, JobState.QUEUED),
                        new Case(JobState.CANCELLED, OperationResult.DONE, JobState.QUEUED)));
    }

    @Test
    default void rescheduleAnswersForEveryState(Rig rig) {
        assertAnswers(
                rig,
                (id, r) -> r.store().reschedule(id, r.time().now().plusSeconds(9)),
                List.of(
                        new Case(JobState.SCHEDULED, OperationResult.DONE, JobState.SCHEDULED),
                        new Case(JobState.QUEUED, OperationResult.DONE, JobState.SCHEDULED),
                        new Case(JobState.PARKED, OperationResult.DONE, JobState.SCHEDULED),
                        new Case(JobState.AWAITING, OperationResult.DONE, JobState.AWAITING),
                        new Case(JobState.RUNNING, OperationResult.WRONG_STATE, JobState.RUNNING),
                        new Case(JobState.SUCCEEDED, OperationResult.WRONG_STATE, JobState.SUCCEEDED),
                        new Case(JobState.FAILED, OperationResult.WRONG_STATE, JobState.FAILED),
                        new Case(JobState.CANCELLED, OperationResult.WRONG_STATE, JobState.CANCELLED)));
    }

    @Test
    default void aPriorityIsChangedWhileTheJobWaits(Rig rig) {
        assertAnswers(
                rig,
                (id, r) -> r.store().changePriority(id, 7),
                List.of(
                        new Case(JobState.SCHEDULED, OperationResult.DONE, JobState.SCHEDULED),
                        new Case(JobState.QUEUED, OperationResult.DONE, JobState.QUEUED),
                        new Case(JobState.PARKED, OperationResult.DONE, JobState.PARKED),
                        new Case(JobState.AWAITING, OperationResult.DONE, JobState.AWAITING),
                        new Case(JobState.RUNNING, OperationResult.WRONG_STATE, JobState.RUNNING),
                        new Case(JobState.SUCCEEDED, OperationResult.WRONG_STATE, JobState.SUCCEEDED),
                        new Case(JobState.FAILED, OperationResult.WRONG_STATE, JobState.FAILED),
                        new Case(JobState.CANCELLED, OperationResult.WRONG_STATE, JobState.CANCELLED)));
    }

    @Test
    default void aJobOfAnotherPriorityHasThePlaceItWouldHaveHad(Rig rig) {
        rig.policy("gate a", "concurrency 1").policy("gate b", "concurrency 1");
        ScriptedWorker worker = rig.worker("plain", "gated");
        rig.enqueue(job("gated").gate("a"), job("gated").gate("b"));
        assertThat(worker.claim(9)).hasSize(2);
        List<JobId> plain = rig.enqueue(4, job("plain").priority(2));
        List<JobId> gated = rig.enqueue(
                job("gated").gate("a"), job("gated").gate("a"), job("gated").gate("a", "b"));
        assertThat(worker.claim(0)).isEmpty();
        rig.store().changePriority(plain.get(2), 5);
        rig.store().changePriority(plain.get(0), -5);
        assertThat(worker.claim(4)).containsExactly(plain.get(2), plain.get(1), plain.get(3), plain.get(0));
        assertThat(worker.claim(9)).as("they stand in line now").isEmpty();
        rig.store().changePriority(gated.get(1), 1);
        rig.store().changePriority(gated.get(2), 2);
        worker.finishAll();
        assertThat(worker.claim(9)).containsExactly(gated.get(2));
        worker.finishAll();
        assertThat(worker.claim(9)).containsExactly(gated.get(1));
        worker.finishAll();
        assertThat(worker.claim(9)).containsExactly(gated.get(0));
        assertThat(rig.store().changePriority(JobId.of(999_999), 1)).isNull();
    }

    @Test
    default void deleteRemovesAJobInEveryState(Rig rig) {
        for (JobState state : JobState.values()) {
            JobId id = jobIn(state, rig);
            assertThat(rig.store().delete(id)).as(state.name()).isEqualTo(OperationResult.DONE);
            assertThat(rig.store().find(id)).as(state.name()).isNull();
            assertThat(rig.store().delete(id)).as(state.name()).isNull();
        }
        assertThat(rig.worker("mail").claimAll()).isEmpty();
    }

    /** What an operation answers to a job in one state, and the state after it. */
    record Case(JobState before, OperationResult answer, JobState after) {}

    private static void assertAnswers(Rig rig, BiFunction<JobId, Rig, OperationResult> operation, List<Case> cases) {
        for (Case each : cases) {
            JobId id = jobIn(each.before(), rig);
            assertThat(operation.apply(id, rig)).as(each.before().name()).isEqualTo(each.answer());
            assertThat(rig.state(id)).as(each.before().name()).isEqualTo(each.after());
        }
        assertThat(operation.apply(JobId.of(987_654), rig)).isNull();
    }

    private static JobId jobIn(JobState state, Rig rig) {
        String queue = "q-" + state;
        if (state == JobState.SCHEDULED) {
            return rig.enqueue(job(queue).gate("a").after(Duration.ofDays(1)));
        }
        JobId id = rig.enqueue(job(queue).gate("a"));
        if (state == JobState.AWAITING) {
            return rig.enqueue(job(queue).gate("a").after(id));
        }
        if (state == JobState.QUEUED) {
            return id;
        }
        ScriptedWorker worker = rig.worker(queue);
        assertThat(worker.claim(1)).containsExactly(id);
        switch (state) {
            case PARKED -> worker.park(id, ParkReason.UNREADABLE_PAYLOAD);
            case SUCCEEDED -> worker.finish(id);
            case FAILED -> worker.fail(id, "failed on purpose");
            case CANCELLED -> worker.cancelled(id);
            default -> {}
        }
        assertThat(rig.state(id)).isEqualTo(state);
        return id;
    }

    @Test
    default void everyOperationThatBringsAJobBackObeysItsGates(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        List<JobId> ids = List.of(
                jobIn(JobState.FAILED, rig),
                jobIn(JobState.CANCELLED, rig),
                jobIn(JobState.PARKED, rig),
                jobIn(JobState.SCHEDULED, rig));
        JobId holder = rig.enqueue(job("other").gate("a"));
        ScriptedWorker other = rig.worker("other");
        assertThat(other.claim(1)).containsExactly(holder);
        ids.forEach(id -> assertThat(rig.store().retry(id)).isEqualTo(OperationResult.DONE));
        ScriptedWorker worker = rig.worker("q-FAILED", "q-CANCELLED", "q-PARKED", "q-SCHEDULED");
        assertThat(worker.claimAll()).isEmpty();
        other.finish(holder);
        for (int i = 0; i < ids.size(); i++) {
            assertThat(worker.claimAll()).containsExactly(ids.get(i));
            worker.finishAll();
        }
    }

    @Test
    default void deletingAHolderLetsTheNextWaiterStart(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        List<JobId> ids = rig.enqueue(2, job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        assertThat(worker.claim(1)).isEmpty();
        rig.store().delete(ids.getFirst());
        assertThat(worker.claim(1)).containsExactly(ids.getLast());
    }

    @Test
    default void cancellingOrDeletingAWaiterStartsNobodyAndItNeverComesBack(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        List<JobId> ids = rig.enqueue(4, job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(9)).containsExactly(ids.getFirst());
        rig.store().cancel(ids.get(1));
        rig.store().delete(ids.get(2));
        assertThat(worker.claim(9)).isEmpty();
        assertThat(rig.leases("gate a")).isEqualTo(1);
        worker.finish(ids.getFirst());
        assertThat(worker.claim(9)).containsExactly(ids.get(3));
        worker.finish(ids.get(3));
        assertThat(worker.claim(9)).isEmpty();
    }

    @Test
    default void rescheduleToNowMakesAJobStart(Rig rig) {
        JobId id = rig.enqueue(job("mail").gate("a").after(Duration.ofDays(1)));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(1)).isEmpty();
        assertThat(rig.store().reschedule(id, null)).isEqualTo(OperationResult.DONE);
        assertThat(rig.status(id).times().readySince()).isEqualTo(rig.time().now());
        assertThat(worker.claim(1)).containsExactly(id);
    }

    @Test
    default void rescheduleToLaterTakesAJobOutOfItsLane(Rig rig) {
        JobId id = rig.enqueue(job("mail").gate("a"));
        JobId plain = rig.enqueue(job("mail"));
        ScriptedWorker worker = rig.worker("mail");
        rig.store().reschedule(id, rig.time().now().plusSeconds(60));
        rig.store().reschedule(plain, rig.time().now().plusSeconds(60));
        assertThat(worker.claim(2)).isEmpty();
        assertThat(worker.sleep()).isEqualTo(Duration.ofSeconds(60));
        rig.advance(Duration.ofSeconds(60));
        assertThat(worker.claim(2)).containsExactly(id, plain);
    }

    @Test
    default void aRevivedJobKeepsItsIdItsEpochAndItsPlaceAndHasAllItsAttempts(Rig rig) {
        JobId id = rig.enqueue(job("mail").gate("a").attempts(2));
        ScriptedWorker worker = rig.worker("mail");
        worker.claim(1);
        worker.retryNow(id);
        worker.fail(id, "second time");
        JobId younger = rig.enqueue(job("mail").gate("a"));
        rig.advance(Duration.ofSeconds(5));
        rig.store().retry(id);
        JobStatus status = rig.status(id);
        assertThat(status.leases().attempt()).isZero();
        assertThat(status.leases().lost()).isZero();
        assertThat(status.leases().epoch()).isEqualTo(2);
        assertThat(status.times().finishedAt()).isNull();
        assertThat(status.times().readySince()).isEqualTo(rig.time().now());
        assertThat(rig.store().attempts(id)).hasSize(2);
        assertThat(worker.claim(2)).containsExactly(id, younger);
        assertThat(worker.lease(id).lease().epoch()).isEqualTo(3);
    }

    @Test
    default void aDeadlineThatHasPassedDoesNotEndARevivedJobAgain(Rig rig) {
        JobId id = rig.enqueue(job("mail").deadline(rig.time().now().plusSeconds(1)));
        ScriptedWorker worker = rig.worker("mail");
        rig.advance(Duration.ofSeconds(2));
        assertThat(worker.claim(1)).isEmpty();
        assertThat(rig.state(id)).isEqualTo(JobState.FAILED);
        rig.store().retry(id);
        assertThat(worker.claim(1)).containsExactly(id);
    }

    @Test
    default void redriveBringsBackWhatMatchesUpToItsLimit(Rig rig) {
        ScriptedWorker worker = rig.worker("mail", "video");
        List<JobId> mail = rig.enqueue(5, job("mail").gate("a"));
        JobId video = rig.enqueue(job("video"));
        worker.claim(6);
        mail.forEach(id -> worker.fail(id, "down"));
        worker.fail(video, "down");
        JobId done = rig.enqueue(job("mail"));
        worker.claim(1);
        worker.finish(done);
        assertThat(rig.store()
                        .redrive(JobFilter.all()
                                .queue("mail")
                                .state(JobState.FAILED)
                                .limit(3)))
                .isEqualTo(3);
        assertThat(rig.count("mail", JobState.QUEUED)).isEqualTo(3);
        assertThat(rig.store().redrive(JobFilter.all().queue("mail"))).isEqualTo(2);
        assertThat(rig.state(video)).isEqualTo(JobState.FAILED);
        assertThat(rig.state(done)).isEqualTo(JobState.SUCCEEDED);
        assertThat(worker.claim(9)).isEqualTo(mail);
    }
}
