package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.OperationResult;
import dev.headgate.job.Unmet;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Dependencies that do not succeed: what becomes of those that wait, along all edges, and how they come back. */
public interface DependencyFailureContract extends StoreFixture {
    @Test
    default void aFailureFailsThoseThatNeedASuccessAndSaysWhichItWas(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId first = rig.enqueue(job("q"));
        JobId second = rig.enqueue(job("q").after(first));
        JobId third = rig.enqueue(job("q").after(second));
        worker.claim(1);
        worker.fail(first, "broken");
        assertThat(rig.state(second)).isEqualTo(JobState.FAILED);
        assertThat(rig.status(second).report().detail())
                .isEqualTo("not run: job %s, which it was to wait for, failed".formatted(first));
        assertThat(rig.state(third)).isEqualTo(JobState.FAILED);
        assertThat(rig.status(third).report().detail()).contains("job %s".formatted(second));
        assertThat(rig.status(third).leases().attempt()).isZero();
        assertThat(worker.claim(9)).isEmpty();
    }

    @Test
    default void aCancelCancelsThemWhetherItWaitedOrRan(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId running = rig.enqueue(job("q"));
        worker.claim(1);
        JobId waiting = rig.enqueue(job("q"));
        List<JobId> after = rig.enqueue(job("q").after(running), job("q").after(waiting));
        assertThat(rig.store().cancel(waiting)).isEqualTo(OperationResult.DONE);
        assertThat(rig.state(after.get(1))).isEqualTo(JobState.CANCELLED);
        assertThat(rig.store().cancel(running)).isEqualTo(OperationResult.REQUESTED);
        assertThat(rig.state(after.get(0))).isEqualTo(JobState.AWAITING);
        worker.cancelled(running);
        assertThat(rig.state(after.get(0))).isEqualTo(JobState.CANCELLED);
        assertThat(rig.status(after.get(0)).report().detail()).contains("was cancelled");
    }

    @Test
    default void anOptionalDependencyOnlyHasToEnd(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        List<JobId> first = rig.enqueue(3, job("q"));
        JobId last = rig.enqueue(job("q").after(Unmet.IGNORE, first.toArray(JobId[]::new)));
        worker.claim(2);
        worker.fail(first.get(0), "broken");
        worker.finish(first.get(1));
        assertThat(rig.state(last)).isEqualTo(JobState.AWAITING);
        rig.store().cancel(first.get(2));
        assertThat(worker.claim(9)).containsExactly(last);
    }

    @Test
    default void oneThatIsToBeRemovedLeavesNoTraceAndThoseBehindItAreCancelled(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId first = rig.enqueue(job("q"));
        JobId removed = rig.enqueue(job("q").after(Unmet.REMOVE, first));
        JobId behind = rig.enqueue(job("q").after(removed));
        worker.claim(1);
        worker.fail(first, "broken");
        assertThat(rig.store().find(removed)).isNull();
        assertThat(rig.state(behind)).isEqualTo(JobState.CANCELLED);
        assertThat(rig.status(behind).report().detail()).contains("was deleted");
    }

    @Test
    default void aDeletedDependencyCountsAsCancelled(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId first = rig.enqueue(job("q"));
        JobId needs = rig.enqueue(job("q").after(first));
        JobId any = rig.enqueue(job("q").after(Unmet.IGNORE, first));
        rig.store().delete(first);
        assertThat(rig.state(needs)).isEqualTo(JobState.CANCELLED);
        assertThat(worker.claim(9)).containsExactly(any);
    }

    @Test
    default void anEndedFailureCountsAtOnce(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId failed = rig.enqueue(job("q"));
        worker.claim(1);
        worker.fail(failed, "broken");
        assertThat(rig.state(rig.enqueue(job("q").after(failed)))).isEqualTo(JobState.FAILED);
        assertThat(rig.state(rig.enqueue(job("q").after(Unmet.IGNORE, failed)))).isEqualTo(JobState.QUEUED);
        assertThat(rig.store().find(rig.enqueue(job("q").after(Unmet.REMOVE, failed))))
                .isNull();
    }

    @Test
    default void deadlinesLostWorkersAndDroppedJobsAreEndsToo(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId late =
                rig.enqueue(job("q").deadline(rig.time().now().plusSeconds(5)).after(Duration.ofHours(1)));
        JobId afterLate = rig.enqueue(job("q").after(late));
        rig.advance(Duration.ofSeconds(5));
        worker.claim(1);
        assertThat(rig.state(afterLate)).isEqualTo(JobState.FAILED);

        JobId lost = rig.enqueue(job("q").attempts(1));
        JobId afterLost = rig.enqueue(job("q").after(lost));
        worker.claim(1);
        rig.lose(worker);
        assertThat(rig.state(afterLost)).isEqualTo(JobState.FAILED);

        rig.policy("queue small", "backlog 1 drop-oldest");
        JobId dropped = rig.enqueue(job("small"));
        JobId afterDropped = rig.enqueue(job("q").after(dropped));
        rig.enqueue(job("small"));
        assertThat(rig.state(afterDropped)).isEqualTo(JobState.CANCELLED);
    }

    @Test
    default void aDependencyThatIsDroppedToMakeRoomForTheOneThatNeedsItHasEnded(Rig rig) {
        rig.policy("gate g", "backlog 1 drop-oldest");
        JobId dropped = rig.enqueue(job("q").gate("g"));
        JobId needing = rig.enqueue(job("q").gate("g").after(Unmet.IGNORE, dropped));
        assertThat(rig.state(dropped)).isEqualTo(JobState.CANCELLED);
        assertThat(rig.worker("q").claim(9)).containsExactly(needing);
    }

    @Test
    default void aWaitingJobsOwnDeadlineEndsItAndThoseBehindIt(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId first = rig.enqueue(job("q"));
        worker.claim(1);
        JobId waiting =
                rig.enqueue(job("q").deadline(rig.time().now().plusSeconds(5)).after(first));
        JobId behind = rig.enqueue(job("q").after(waiting));
        assertThat(worker.sleep()).isEqualTo(Duration.ofSeconds(5));
        rig.advance(Duration.ofSeconds(5));
        assertThat(worker.claim(1)).isEmpty();
        assertThat(rig.state(waiting)).isEqualTo(JobState.FAILED);
        assertThat(rig.state(behind)).isEqualTo(JobState.FAILED);
    }

    @Test
    default void aRetryRevivesWhatEndedBecauseOfItAlongAllEdges(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId first = rig.enqueue(job("q"));
        JobId second = rig.enqueue(job("q").after(first));
        JobId third = rig.enqueue(job("q").gate("g").after(second));
        rig.store().cancel(first);
        assertThat(rig.state(third)).isEqualTo(JobState.CANCELLED);
        assertThat(rig.store().retry(first)).isEqualTo(OperationResult.DONE);
        assertThat(rig.state(second)).isEqualTo(JobState.AWAITING);
        assertThat(rig.state(third)).isEqualTo(JobState.AWAITING);
        List<JobId> order = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            order.addAll(worker.claim(9));
            worker.finishAll();
        }
        assertThat(order).containsExactly(first, second, third);
    }

    @Test
    default void aRedriveRevivesThemToo(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId first = rig.enqueue(job("q"));
        JobId second = rig.enqueue(job("other").after(first));
        worker.claim(1);
        worker.fail(first, "broken");
        assertThat(rig.store().redrive(JobFilter.all().queue("q").state(JobState.FAILED)))
                .isEqualTo(1);
        assertThat(rig.state(second)).isEqualTo(JobState.AWAITING);
    }

    @Test
    default void oneThatHasTwoReasonsNotToRunComesBackWhenBothAreGone(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        List<JobId> first = rig.enqueue(2, job("q"));
        JobId last = rig.enqueue(job("q").after(first.get(0), first.get(1)));
        worker.claim(2);
        worker.fail(first.get(0), "broken");
        worker.fail(first.get(1), "broken too");
        JobId neighbour = rig.enqueue(job("q"));
        worker.claim(1);
        worker.fail(neighbour, "of its own");
        rig.store().retry(first.get(0));
        assertThat(rig.state(last)).isEqualTo(JobState.FAILED);
        assertThat(rig.status(last).report().detail())
                .as("the reason that still stands")
                .isEqualTo("not run: job %s, which it was to wait for, failed".formatted(first.get(1)));
        assertThat(rig.status(neighbour).report().detail()).isEqualTo("of its own");
        assertThat(rig.status(first.get(1)).report().detail()).isEqualTo("broken too");
        rig.store().retry(first.get(1));
        assertThat(rig.state(last)).isEqualTo(JobState.AWAITING);
        worker.claim(2);
        worker.finishAll();
        assertThat(worker.claim(9)).containsExactly(last);
    }

    @Test
    default void whatSomebodyCancelledStaysCancelled(Rig rig) {
        JobId first = rig.enqueue(job("q"));
        JobId last = rig.enqueue(job("q").after(first));
        rig.store().cancel(last);
        rig.store().cancel(first);
        rig.store().retry(first);
        assertThat(rig.state(last)).isEqualTo(JobState.CANCELLED);
    }

    @Test
    default void aRetryByHandOfTheOneThatWaitedDoesNotAskAgain(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId failed = rig.enqueue(job("q"));
        worker.claim(1);
        JobId running = rig.enqueue(job("q"));
        worker.claim(1);
        JobId last = rig.enqueue(job("q").after(failed, running));
        worker.fail(failed, "broken");
        assertThat(rig.store().retry(last)).isEqualTo(OperationResult.DONE);
        assertThat(rig.state(last)).as("the other one has not ended").isEqualTo(JobState.AWAITING);
        worker.finish(running);
        assertThat(worker.claim(9)).containsExactly(last);
        worker.fail(last, "of its own");
        rig.store().retry(failed);
        assertThat(rig.state(last)).as("nothing to do with it").isEqualTo(JobState.FAILED);
    }

    @Test
    default void aCascadeTooLongForOneTransactionGoesOnInTheNextTurns(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId first = rig.enqueue(job("q"));
        int many = 2_500;
        rig.enqueue(many, job("other").after(first));
        rig.store().cancel(first);
        assertThat(rig.count("other", JobState.CANCELLED)).isBetween(1L, many - 1L);
        assertThat(worker.claim(1)).isEmpty();
        assertThat(rig.count("other", JobState.CANCELLED)).isEqualTo(many);
        rig.store().retry(first);
        assertThat(worker.claim(1)).containsExactly(first);
        assertThat(rig.count("other", JobState.AWAITING)).isEqualTo(many);
        worker.finishAll();
        assertThat(worker.claim(1)).isEmpty();
        assertThat(rig.count("other", JobState.QUEUED)).isEqualTo(many);
    }
}
