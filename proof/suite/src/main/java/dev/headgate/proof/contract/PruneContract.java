package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.headgate.job.Dependency;
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

/** Ended jobs go when they are old enough, and not before the last job that may read what came of them. */
public interface PruneContract extends StoreFixture {
    Duration WEEK = Duration.ofDays(7);

    @Test
    default void aChildStaysAsLongAsItsParentMayReadIt(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        List<JobId> ids = rig.enqueue(job("q"), job("q"), job("q").children(0, 1));
        worker.claim(9);
        worker.finish(ids.get(0), "1");
        rig.advance(Duration.ofDays(8));
        assertThat(rig.store().prune(WEEK)).isZero();
        worker.finish(ids.get(1), "2");
        assertThat(worker.claim(9)).containsExactly(ids.get(2));
        rig.advance(Duration.ofDays(8));
        assertThat(rig.store().prune(WEEK)).as("while the parent runs").isZero();
        assertThat(rig.store().dependencies().children(ids.get(2)))
                .extracting(status -> status.report().result())
                .containsExactly("1", "2");
        worker.finishAll();
        assertThat(rig.store().prune(WEEK)).as("once the parent has succeeded").isEqualTo(2);
        assertThat(rig.state(ids.get(2))).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    default void aDependencyStaysAsLongAsTheJobThatWaitsForOthersToo(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId done = rig.enqueue(job("q"));
        JobId slow = rig.enqueue(job("q"));
        worker.claim(1);
        worker.finish(done, "\"kept\"");
        JobId last = rig.enqueue(job("q").after(done, slow));
        rig.advance(Duration.ofDays(8));
        assertThat(rig.store().prune(WEEK)).isZero();
        assertThat(rig.status(done).report().result()).isEqualTo("\"kept\"");
        assertThat(rig.store().dependencies().of(last))
                .extracting(Dependency::state)
                .containsExactly(JobState.SUCCEEDED, JobState.QUEUED);
    }

    @Test
    default void whatAFailedParentWouldReadAfterARetryStaysAsLongAsTheParent(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        List<JobId> ids = rig.enqueue(job("q"), job("q").children(0));
        worker.claim(1);
        worker.finish(ids.get(0), "1");
        worker.claim(1);
        rig.advance(Duration.ofDays(8));
        worker.fail(ids.get(1), "no");
        assertThat(rig.store().prune(WEEK)).isZero();
        assertThat(rig.store().retry(ids.get(1))).isEqualTo(OperationResult.DONE);
        worker.claim(1);
        assertThat(rig.store().dependencies().children(ids.get(1)))
                .extracting(status -> status.report().result())
                .containsExactly("1");
        worker.fail(ids.get(1), "no");
        rig.advance(Duration.ofDays(8));
        assertThat(rig.store().prune(WEEK)).as("both in one pass").isEqualTo(2);
    }

    @Test
    default void whatACancelledParentWouldReadAfterARetryStaysToo(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        List<JobId> ids = rig.enqueue(job("q"), job("q").children(0));
        worker.claim(1);
        worker.finish(ids.get(0), "1");
        rig.advance(Duration.ofDays(8));
        rig.store().cancel(ids.get(1));
        assertThat(rig.state(ids.get(1))).isEqualTo(JobState.CANCELLED);
        assertThat(rig.store().prune(WEEK)).isZero();
        assertThat(rig.store().retry(ids.get(1))).isEqualTo(OperationResult.DONE);
        assertThat(rig.store().dependencies().children(ids.get(1)))
                .extracting(status -> status.report().result())
                .containsExactly("1");
    }

    @Test
    default void aChainThatHasEndedGoesInOnePass(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        List<JobId> chain = new ArrayList<>(List.of(rig.enqueue(job("q"))));
        for (int i = 0; i < 9; i++) {
            chain.add(rig.enqueue(job("q").after(Unmet.IGNORE, chain.getLast())));
        }
        for (JobId each : chain) {
            assertThat(worker.claim(1)).containsExactly(each);
            rig.advance(Duration.ofSeconds(1));
            worker.fail(each, "no");
        }
        rig.advance(Duration.ofDays(8));
        assertThat(rig.store().prune(WEEK)).isEqualTo(10);
        assertThat(rig.store().list(JobFilter.all())).isEmpty();
    }

    @Test
    default void edgesGoWithTheJobThatWaitedAndNotBefore(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId first = rig.enqueue(job("q"));
        JobId second = rig.enqueue(job("q").after(first));
        worker.claim(1);
        worker.finishAll();
        rig.advance(Duration.ofDays(8));
        worker.claim(1);
        worker.finishAll();
        assertThat(rig.store().prune(WEEK)).isEqualTo(1);
        assertThat(rig.store().find(first)).isNull();
        assertThat(rig.store().dependencies().of(second))
                .as("what it waited for is still told")
                .containsExactly(new Dependency(first, Unmet.FAIL, false, null, false));
        rig.advance(Duration.ofDays(8));
        assertThat(rig.store().prune(WEEK)).isEqualTo(1);
        assertThat(rig.store().dependencies().of(second)).as("nothing is left").isEmpty();
    }

    @Test
    default void aChildThatIsGoneAfterItsEndIsNotPassedOver(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        List<JobId> ids = rig.enqueue(job("q"), job("q"), job("q").children(Unmet.IGNORE, 0, 1));
        worker.claim(9);
        worker.finish(ids.get(0), "1");
        assertThat(rig.store().delete(ids.get(1))).isEqualTo(OperationResult.DONE);
        worker.claim(9);
        assertThat(rig.store().dependencies().children(ids.get(2)))
                .as("one that was deleted before it ended has no result")
                .extracting(status -> status.report().result())
                .containsExactly("1");
        assertThat(rig.store().delete(ids.get(0))).isEqualTo(OperationResult.DONE);
        assertThatIllegalStateException()
                .isThrownBy(() -> rig.store().dependencies().children(ids.get(2)))
                .withMessageContaining("job " + ids.get(2))
                .withMessageContaining("[%s]".formatted(ids.get(0)));
    }

    @Test
    default void moreKeptThanABatchHoldsDoNotStopIt(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        int many = 1_100;
        List<JobId> kept = rig.enqueue(many, job("q"));
        worker.claim(many);
        worker.finishAll();
        List<JobId> waiting = new ArrayList<>();
        JobId slow = rig.enqueue(job("slow"));
        for (JobId each : kept) {
            waiting.add(rig.enqueue(job("slow").after(each, slow)));
        }
        List<JobId> free = rig.enqueue(many, job("q"));
        worker.claim(many);
        worker.finishAll();
        rig.advance(Duration.ofDays(8));
        assertThat(rig.store().prune(WEEK)).isEqualTo(many);
        assertThat(rig.store().find(free.getLast())).isNull();
        assertThat(rig.state(kept.getFirst())).isEqualTo(JobState.SUCCEEDED);
        assertThat(rig.state(kept.getLast())).isEqualTo(JobState.SUCCEEDED);
        assertThat(rig.state(waiting.getLast())).isEqualTo(JobState.AWAITING);
    }

    @Test
    default void theCostOfPruningIsThatOfItsBatches(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        long small = statementsToPrune(rig, worker, 1_000);
        long large = statementsToPrune(rig, worker, 4_000);
        assertThat(large).isLessThanOrEqualTo(4 * small);
        assertThat(small).as("for 1,000 jobs").isLessThanOrEqualTo(40);
    }

    private static long statementsToPrune(Rig rig, ScriptedWorker worker, int jobs) {
        rig.enqueue(jobs, job("q"));
        worker.claim(jobs);
        worker.finishAll();
        rig.advance(Duration.ofDays(8));
        long before = rig.store().backend().statements();
        assertThat(rig.store().prune(WEEK)).isEqualTo(jobs);
        return rig.store().backend().statements() - before;
    }
}
