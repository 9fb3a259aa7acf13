package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.explain.Reason;
import dev.headgate.internal.lease.Turn;
import dev.headgate.job.Dependency;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.job.OperationResult;
import dev.headgate.job.Unmet;
import dev.headgate.limit.BacklogFullException;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.JobTable.Inserted;
import dev.headgate.spi.Wake;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Jobs that wait for other jobs: they start when the last of those has ended, not before, and through every gate. */
public interface DependencyContract extends StoreFixture {
    @Test
    default void aJobWaitsUntilTheLastOfItsDependenciesHasSucceeded(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId first = rig.enqueue(job("q"));
        JobId second = rig.enqueue(job("q"));
        JobId last = rig.enqueue(job("q").after(first, second));
        assertThat(rig.state(last)).isEqualTo(JobState.AWAITING);
        assertThat(worker.claim(9)).containsExactly(first, second);
        worker.finish(first);
        assertThat(rig.state(last)).isEqualTo(JobState.AWAITING);
        assertThat(worker.claim(9)).isEmpty();
        worker.finish(second);
        assertThat(rig.state(last)).isEqualTo(JobState.QUEUED);
        assertThat(worker.claim(9)).containsExactly(last);
    }

    @Test
    default void theTurnThatEndsTheLastOneSaysLookAgainAndWakesTheOthersQueue(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId first = rig.enqueue(job("q"));
        rig.enqueue(job("elsewhere").gate("g").after(first));
        worker.claim(1);
        Turn turn = worker.turn(1, worker.ended());
        assertThat(turn.wakes()).contains(new Wake.Queue("elsewhere"));
        assertThat(turn.nextWake()).isEqualTo(Duration.ZERO);
        assertThat(rig.worker("elsewhere").claim(1)).hasSize(1);
    }

    @Test
    default void aJobThatWaitsForOthersPassesItsGatesWhenItIsFreed(Rig rig) {
        rig.policy("gate g", "concurrency 1");
        ScriptedWorker worker = rig.worker("q");
        JobId first = rig.enqueue(job("q"));
        JobId last = rig.enqueue(job("q").gate("g").after(first));
        JobId holder = rig.enqueue(job("q").gate("g"));
        assertThat(worker.claim(9)).containsExactlyInAnyOrder(first, holder);
        worker.finish(first);
        assertThat(worker.claim(9)).as("the gate is taken").isEmpty();
        assertThat(rig.state(last)).isEqualTo(JobState.QUEUED);
        worker.finish(holder);
        assertThat(worker.claim(9)).containsExactly(last);
        assertThat(rig.leases("gate g")).isEqualTo(1);
        worker.finishAll();
    }

    @Test
    default void oneThatIsNotDueYetIsScheduledWhenItIsFreed(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId first = rig.enqueue(job("q"));
        JobId last = rig.enqueue(job("q").after(first).after(Duration.ofMinutes(10)));
        worker.claim(9);
        rig.advance(Duration.ofMinutes(4));
        worker.finishAll();
        assertThat(rig.state(last)).isEqualTo(JobState.SCHEDULED);
        assertThat(worker.sleep()).isEqualTo(Duration.ofMinutes(6));
        rig.advance(Duration.ofMinutes(6));
        assertThat(worker.claim(9)).containsExactly(last);
    }

    @Test
    default void whatHasEndedAlreadyCountsAtOnce(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId done = rig.enqueue(job("q"));
        worker.claim(1);
        worker.finishAll();
        JobId after = rig.enqueue(job("q").gate("g").after(done));
        assertThat(rig.state(after)).isEqualTo(JobState.QUEUED);
        assertThat(worker.claim(9)).containsExactly(after);
    }

    @Test
    default void aJobThatIsNotThereIsRefusedByItsNumberAndNothingIsStored(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId pruned = rig.enqueue(job("q"));
        worker.claim(1);
        worker.finishAll();
        rig.advance(Duration.ofDays(2));
        rig.store().prune(Duration.ofDays(1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rig.enqueue(job("q"), job("q").type("report").after(pruned)))
                .withMessageContaining("'report'")
                .withMessageContaining("job %s,".formatted(pruned))
                .withMessageContaining("pruned");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rig.enqueue(job("q").after(JobId.of(4_711_000))))
                .withMessageContaining("4711000");
        assertThat(rig.store().list(JobFilter.all())).isEmpty();
    }

    @Test
    default void aJobCannotWaitForItselfOrForOneBehindIt(Rig rig) {
        assertThatIllegalArgumentException().isThrownBy(() -> rig.enqueue(job("q").children(0)));
        assertThatIllegalArgumentException().isThrownBy(() -> rig.enqueue(job("q").children(1), job("q")));
        assertThat(rig.store().list(JobFilter.all())).isEmpty();
    }

    @Test
    default void aTreeIsEnqueuedAtOnceAndRunsFromItsLeaves(Rig rig) {
        ScriptedWorker worker = rig.worker("q", "net");
        List<JobId> tree =
                rig.enqueue(job("net"), job("net"), job("q").children(0, 1), job("net"), job("q").children(2, 3));
        List<List<JobId>> rounds = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            rounds.add(worker.claim(9));
            worker.finishAll();
        }
        assertThat(rounds.get(0)).containsExactlyInAnyOrder(tree.get(0), tree.get(1), tree.get(3));
        assertThat(rounds.get(1)).containsExactly(tree.get(2));
        assertThat(rounds.get(2)).containsExactly(tree.get(4));
    }

    @Test
    default void aParentSeesTheResultsOfItsChildrenInTheirOrder(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId other = rig.enqueue(job("q"));
        List<JobId> ids =
                rig.enqueue(job("q"), job("q"), job("q").children(1, 0).after(other));
        worker.claim(9);
        worker.finish(ids.get(0), "1");
        worker.finish(ids.get(1), "2");
        worker.finish(other, "3");
        List<JobStatus> children = rig.store().dependencies().children(ids.get(2));
        assertThat(children).extracting(status -> status.report().result()).containsExactly("2", "1");
        assertThat(rig.store().dependencies().of(ids.get(2)))
                .containsExactly(
                        new Dependency(ids.get(1), Unmet.FAIL, true, JobState.SUCCEEDED, false),
                        new Dependency(ids.get(0), Unmet.FAIL, true, JobState.SUCCEEDED, false),
                        new Dependency(other, Unmet.FAIL, false, JobState.SUCCEEDED, false));
    }

    @Test
    default void aTreeWhoseRootLivesUnderItsKeyAddsNothing(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        List<JobId> first = rig.enqueue(
                job("q"), job("q").children(0), job("q").dedup("report").children(1));
        List<Inserted> again = rig.store()
                .enqueue(List.of(
                        job("q").build(),
                        job("q").children(0).build(),
                        job("q").dedup("report").children(1).build()));
        assertThat(again.getLast()).isEqualTo(new Inserted(first.get(2).value(), false));
        assertThat(rig.store().list(JobFilter.all())).hasSize(3);
        assertThat(worker.claim(9)).containsExactly(first.get(0));
    }

    @Test
    default void aChildThatLivesUnderItsKeyIsWaitedFor(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId shared = rig.enqueue(job("q").dedup("fetch"));
        JobId parent =
                rig.enqueue(job("q").dedup("fetch"), job("q").children(0)).getLast();
        assertThat(worker.claim(9)).containsExactly(shared);
        worker.finishAll();
        assertThat(worker.claim(9)).containsExactly(parent);
    }

    @Test
    default void explainAndListsTellWhatAJobWaitsFor(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        List<JobId> some = rig.enqueue(7, job("q"));
        worker.claim(1);
        JobId last = rig.enqueue(job("q").after(some.toArray(JobId[]::new)));
        String text =
                "waiting for job %s (running), job %s (queued), job %s (queued), job %s (queued), job %s (queued) and 2 more"
                        .formatted(some.get(0), some.get(1), some.get(2), some.get(3), some.get(4));
        assertThat(rig.explain(last).summary()).isEqualTo(text);
        assertThat(rig.explain(last).reason())
                .isInstanceOfSatisfying(
                        Reason.AwaitsJobs.class,
                        others -> assertThat(others.more()).isEqualTo(2));
        assertThat(rig.status(last).report().detail()).isEqualTo(text);
        assertThat(rig.store().list(JobFilter.all().state(JobState.AWAITING)))
                .singleElement()
                .satisfies(job -> assertThat(job.report().detail()).isEqualTo(text));
        assertThat(rig.count("q", JobState.AWAITING)).isEqualTo(1);
    }

    @Test
    default void whatWaitsForOthersCountsInACappedBacklogAndIsNeverRefusedWhenFreed(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId first = rig.enqueue(job("q"));
        worker.claim(1);
        rig.policy("queue q", "backlog 2 reject");
        JobId waiting = rig.enqueue(job("q").after(first));
        rig.enqueue(job("q"));
        assertThatExceptionOfType(BacklogFullException.class).isThrownBy(() -> rig.enqueue(job("q")));
        worker.finish(first);
        assertThat(rig.state(waiting)).isEqualTo(JobState.QUEUED);
        assertThatExceptionOfType(BacklogFullException.class).isThrownBy(() -> rig.enqueue(job("q").after(waiting)));
    }

    @Test
    default void aRetryOfTheDependencyKeepsTheOthersWaiting(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId first = rig.enqueue(job("q"));
        JobId last = rig.enqueue(job("q").after(first));
        worker.claim(1);
        worker.retryAfter(first, Duration.ofSeconds(1));
        assertThat(worker.claim(9)).isEmpty();
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.claim(9)).containsExactly(first);
        worker.finishAll();
        assertThat(worker.claim(9)).containsExactly(last);
    }

    @Test
    default void aWaitingJobIsRescheduledCancelledAndDeletedLikeAnyOther(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId first = rig.enqueue(job("q"));
        List<JobId> waiting = rig.enqueue(3, job("q").after(first));
        assertThat(rig.store().retry(waiting.get(0))).isEqualTo(OperationResult.WRONG_STATE);
        assertThat(rig.store().reschedule(waiting.get(0), rig.time().now().plusSeconds(60)))
                .isEqualTo(OperationResult.DONE);
        assertThat(rig.state(waiting.get(0))).isEqualTo(JobState.AWAITING);
        assertThat(rig.store().cancel(waiting.get(1))).isEqualTo(OperationResult.DONE);
        assertThat(rig.state(waiting.get(1))).isEqualTo(JobState.CANCELLED);
        assertThat(rig.store().delete(waiting.get(2))).isEqualTo(OperationResult.DONE);
        assertThat(rig.store().dependencies().of(waiting.get(2))).isEmpty();
        worker.claim(9);
        worker.finishAll();
        assertThat(rig.state(waiting.get(0))).isEqualTo(JobState.SCHEDULED);
        assertThat(worker.claim(9)).isEmpty();
    }

    @Test
    default void aMillionWaitingJobsWouldCostAClaimNothing(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId first = rig.enqueue(job("q"));
        rig.enqueue(200, job("q").gate("g").after(first));
        worker.claim(1);
        long before = rig.store().backend().statements();
        worker.turn(1);
        long idle = rig.store().backend().statements() - before;
        rig.enqueue(200, job("q").gate("g").after(first));
        before = rig.store().backend().statements();
        worker.turn(1);
        assertThat(rig.store().backend().statements() - before).isEqualTo(idle);
        assertThat(worker.sleep())
                .as("nothing to look at until the first one ends")
                .isNull();
    }

    @Test
    default void whereNothingWaitsForAnotherATurnAsksNothingMore(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        long never = statementsOfAnEnd(rig, worker);
        JobId first = rig.enqueue(job("q"));
        rig.enqueue(job("q").after(first));
        worker.claim(1);
        worker.finishAll();
        worker.claim(1);
        worker.finishAll();
        assertThat(statementsOfAnEnd(rig, worker)).as("edges of the past").isEqualTo(never);
        JobId second = rig.enqueue(job("elsewhere"));
        rig.enqueue(job("elsewhere").after(second));
        assertThat(statementsOfAnEnd(rig, worker)).as("edges of others").isBetween(never, never + 1);
    }

    private static long statementsOfAnEnd(Rig rig, ScriptedWorker worker) {
        rig.enqueue(job("q"));
        worker.claim(1);
        long before = rig.store().backend().statements();
        worker.finishAll();
        return rig.store().backend().statements() - before;
    }
}
