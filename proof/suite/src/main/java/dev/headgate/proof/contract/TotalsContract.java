package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.headgate.internal.query.BacklogStore;
import dev.headgate.job.JobId;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.proof.WorkflowRig;
import dev.headgate.status.Totals;
import dev.headgate.status.Totals.Counted;
import dev.headgate.status.Totals.Oldest;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a store keeps, and how long its queues have waited. */
public interface TotalsContract extends StoreFixture {
    Workflow<Integer, Integer> KEEPING = Workflow.named("keeping", 1, Integer.class)
            .then("one", (state, step) -> {
                step.artifact("first", "text");
                step.artifact("second", "text");
                return state;
            })
            .build();

    private static Totals totals(Rig rig, int max) {
        return new BacklogStore(rig.store().backend()).totals(max);
    }

    @Test
    default void runsResultsAndArtifactsAreCounted(Rig rig) {
        assertThat(totals(rig, 10))
                .isEqualTo(new Totals(new Counted(0, false), new Counted(0, false), new Counted(0, false), List.of()));
        ScriptedWorker worker = rig.worker("mail");
        List<JobId> jobs = rig.enqueue(3, job("mail"));
        worker.claim(3);
        worker.finish(jobs.get(0), "7");
        worker.finish(jobs.get(1), null);
        worker.finish(jobs.get(2), "8");
        assertThat(totals(rig, 10).results()).isEqualTo(new Counted(2, false));
        assertThat(totals(rig, 2).results())
                .as("those of the newest two, and perhaps more")
                .isEqualTo(new Counted(1, true));
        WorkflowRig play = new WorkflowRig(rig, "default").register(KEEPING);
        play.workflows().start(KEEPING, 1);
        play.workflows().start(KEEPING, 2);
        play.all();
        assertThat(totals(rig, 10).runs()).isEqualTo(new Counted(2, false));
        assertThat(totals(rig, 10).artifacts()).isEqualTo(new Counted(4, false));
        assertThat(totals(rig, 2).runs()).isEqualTo(new Counted(2, true));
        assertThat(totals(rig, 3).artifacts()).isEqualTo(new Counted(3, true));
        assertThat(totals(rig, Integer.MAX_VALUE).artifacts()).isEqualTo(new Counted(4, false));
    }

    @Test
    default void theJobThatHasWaitedLongestIsToldOfEachQueue(Rig rig) {
        Instant begin = rig.time().now();
        rig.enqueue(job("later").after(Duration.ofHours(9)));
        rig.enqueue(job("busy"));
        rig.worker("busy").claim(1);
        rig.enqueue(job("mail").after(Duration.ofMinutes(5)));
        rig.advance(Duration.ofMinutes(1));
        rig.enqueue(2, job("mail").priority(3));
        rig.advance(Duration.ofMinutes(1));
        rig.enqueue(job("web"));
        assertThat(totals(rig, 100).oldest())
                .extracting(Oldest::queue, Oldest::since, Oldest::isAtLeast)
                .containsExactly(
                        tuple("mail", begin.plusSeconds(60), false), tuple("web", begin.plusSeconds(120), false));
    }

    /** Not all jobs are looked at: of a queue whose jobs came late, the first of its lanes. */
    @Test
    default void aQueueWhoseJobsAllCameLateHasItsOldestToo(Rig rig) {
        Instant begin = rig.time().now();
        rig.worker("web");
        rig.enqueue(5, job("mail"));
        rig.advance(Duration.ofMinutes(1));
        rig.enqueue(job("web"));
        rig.advance(Duration.ofMinutes(1));
        rig.enqueue(job("web"));
        assertThat(totals(rig, 5).oldest())
                .containsExactly(new Oldest("mail", begin, true), new Oldest("web", begin.plusSeconds(60), true));
        assertThat(totals(rig, 8).oldest())
                .containsExactly(new Oldest("mail", begin, false), new Oldest("web", begin.plusSeconds(60), false));
    }
}
