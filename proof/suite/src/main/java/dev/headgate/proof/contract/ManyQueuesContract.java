package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobId;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A worker that serves many queues asks the store as often as one that serves a single queue. */
public interface ManyQueuesContract extends StoreFixture {
    @Test
    default void aTurnSendsAsManyStatementsForFiveHundredQueuesAsForOne(Rig rig) {
        long idle = statements(rig, worker(rig, 1), 0);
        long start = statements(rig, worker(rig, 1), 1);
        for (int queues : new int[] {10, 500}) {
            assertThat(statements(rig, worker(rig, queues), 0))
                    .as("an idle turn over %d queues", queues)
                    .isEqualTo(idle);
            assertThat(statements(rig, worker(rig, queues), 1))
                    .as("a start and an end in %d queues", queues)
                    .isEqualTo(start);
        }
    }

    private static ScriptedWorker worker(Rig rig, int queues) {
        ScriptedWorker worker =
                rig.worker(IntStream.range(0, queues).mapToObj(i -> "q" + i).toArray(String[]::new));
        worker.turn(3); // what a first turn asks once for all
        return worker;
    }

    /** How many statements it takes to start so many jobs and to bring them back. */
    private static long statements(Rig rig, ScriptedWorker worker, int jobs) {
        if (jobs > 0) {
            rig.enqueue(jobs, job("q0"));
        }
        long before = rig.store().backend().statements();
        assertThat(worker.turn(3).started()).hasSize(jobs);
        worker.turn(3, worker.ended());
        return rig.store().backend().statements() - before;
    }

    @Test
    default void eachQueueGivesWhatItHasRoomForOldestFirst(Rig rig) {
        rig.policy("queue one", "concurrency 1").policy("queue two", "concurrency 2");
        List<JobId> two = rig.enqueue(5, job("two"));
        List<JobId> free = rig.enqueue(3, job("free"));
        List<JobId> one = rig.enqueue(5, job("one"));
        ScriptedWorker worker = rig.worker("free", "one", "two", "empty");
        assertThat(worker.claim(4)).containsExactly(two.get(0), two.get(1), free.get(0), free.get(1));
        assertThat(worker.claim(9)).containsExactly(free.get(2), one.get(0));
        worker.finish(two.get(0));
        worker.finish(one.get(0));
        assertThat(worker.claim(9)).containsExactly(two.get(2), one.get(1));
    }
}
