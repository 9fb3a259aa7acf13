package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.headgate.internal.lease.EndedLease;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.Outcome;
import dev.headgate.limit.BacklogFullException;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Many jobs come back from history together, and it is as if they had come one by one. */
public interface RedriveContract extends StoreFixture {
    @Test
    default void oneThatEndedBecauseOfAnotherWaitsForItAgain(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId first = rig.enqueue(job("q"));
        JobId second = rig.enqueue(job("q").after(first));
        JobId third = rig.enqueue(job("q").gate("g").after(second));
        worker.claim(1);
        worker.fail(first, "broken");
        assertThat(rig.store().redrive(JobFilter.all().state(JobState.FAILED)))
                .as("the others come with it")
                .isEqualTo(1);
        assertThat(rig.state(second)).isEqualTo(JobState.AWAITING);
        assertThat(rig.state(third)).isEqualTo(JobState.AWAITING);
        for (JobId id : List.of(first, second, third)) {
            assertThat(worker.claim(9)).containsExactly(id);
            worker.finishAll();
        }
    }

    @Test
    default void oneThatSomethingElseKeepsFromRunningComesBackByItself(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId first = rig.enqueue(job("q"));
        JobId other = rig.enqueue(job("other"));
        JobId last = rig.enqueue(job("q").after(first, other));
        worker.claim(1);
        worker.fail(first, "broken");
        rig.store().cancel(other);
        assertThat(rig.state(last)).isEqualTo(JobState.FAILED);
        assertThat(rig.store().redrive(JobFilter.all().state(JobState.FAILED))).isEqualTo(2);
        assertThat(rig.state(other)).isEqualTo(JobState.CANCELLED);
        assertThat(rig.state(last)).as("it waits for what lives again").isEqualTo(JobState.AWAITING);
        assertThat(worker.claim(9)).containsExactly(first);
        worker.finishAll();
        assertThat(worker.claim(9)).containsExactly(last);
    }

    @Test
    default void ofTwoWithTheSameKeyTheOlderHasIt(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId older = rig.enqueue(job("q").dedup("k"));
        worker.claim(1);
        worker.fail(older, "no");
        JobId newer = rig.enqueue(job("q").dedup("k"));
        worker.claim(1);
        worker.fail(newer, "no");
        JobId live = rig.enqueue(job("q").dedup("live"));
        worker.claim(1);
        worker.fail(live, "no");
        JobId again = rig.enqueue(job("q").dedup("live"));
        assertThat(rig.store().redrive(JobFilter.all())).isEqualTo(3);
        assertThat(rig.insert(job("q").dedup("k")).id()).isEqualTo(older.value());
        assertThat(rig.insert(job("q").dedup("live")).id()).isEqualTo(again.value());
        assertThat(worker.claim(9)).containsExactly(older, newer, live, again);
    }

    @Test
    default void theyCountForCapsAgain(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        List<JobId> ids = rig.enqueue(3, job("q").gate("g"));
        worker.claim(3);
        ids.forEach(id -> worker.fail(id, "no"));
        rig.policy("queue q", "backlog 4 reject");
        rig.policy("gate g", "backlog 3 reject");
        assertThat(rig.store().redrive(JobFilter.all())).isEqualTo(3);
        assertThatExceptionOfType(BacklogFullException.class).isThrownBy(() -> rig.enqueue(job("q").gate("g")));
        rig.enqueue(job("q"));
        assertThatExceptionOfType(BacklogFullException.class).isThrownBy(() -> rig.enqueue(job("q")));
    }

    @Test
    default void manyStartInTheOrderOfTheirEnqueueWhateverTheirLanes(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        List<JobId> plain = rig.enqueue(400, job("q"));
        List<JobId> gated = rig.enqueue(400, job("q").gate("g"));
        plain.forEach(rig.store()::cancel);
        worker.claim(400);
        gated.forEach(id -> worker.fail(id, "no"));
        JobId young = rig.enqueue(job("q"));
        assertThat(rig.store().redrive(JobFilter.all().limit(1_000))).isEqualTo(800);
        assertThat(rig.count("q", JobState.QUEUED)).isEqualTo(801);
        assertThat(worker.claim(401)).as("the place that they had").containsSubsequence(gated);
        assertThat(worker.claim(401)).as("a new place").containsExactlyElementsOf(plain);
        assertThat(rig.state(young)).isEqualTo(JobState.RUNNING);
        assertThat(worker.claim(1)).isEmpty();
    }

    @Test
    default void theCostOfARedriveIsThatOfItsBatches(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        long small = statementsToRedrive(rig, worker, 500);
        long large = statementsToRedrive(rig, worker, 1_000);
        assertThat(large).isLessThanOrEqualTo(2 * small);
        assertThat(small).as("for 500 jobs").isLessThanOrEqualTo(25);
    }

    private static long statementsToRedrive(Rig rig, ScriptedWorker worker, int jobs) {
        List<JobId> ids = rig.enqueue(jobs, job("q").gate("g"));
        worker.claim(jobs);
        worker.turn(
                0,
                ids.stream()
                        .map(id -> new EndedLease(worker.lease(id), new Outcome.Failed("no")))
                        .toArray(EndedLease[]::new));
        long before = rig.store().backend().statements();
        assertThat(rig.store().redrive(JobFilter.all().limit(jobs))).isEqualTo(jobs);
        long statements = rig.store().backend().statements() - before;
        worker.claim(jobs);
        worker.finishAll();
        return statements;
    }
}
