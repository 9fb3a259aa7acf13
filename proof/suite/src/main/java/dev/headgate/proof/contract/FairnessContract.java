package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** No job starves: a job that stays eligible starts, also if it needs what others keep taking one by one. */
public interface FairnessContract extends StoreFixture {
    @Test
    default void aLaneOfTwoGatesStartsBesideShortJobsOfOneGate(Rig rig) {
        assertStartsBesideJobsOfOneGate(rig, Duration.ofMillis(100));
    }

    @Test
    default void aLaneOfTwoGatesStartsBesideJobsThatOutlastAnyPatience(Rig rig) {
        assertStartsBesideJobsOfOneGate(rig, Duration.ofHours(2));
    }

    /**
     * Two gates of one place each are never free together: their jobs are out of step, and others always wait. The job
     * that needs both must start all the same, after a bounded number of them.
     */
    private static void assertStartsBesideJobsOfOneGate(Rig rig, Duration length) {
        rig.policy("gate g", "concurrency 1").policy("gate x", "concurrency 1");
        ScriptedWorker worker = rig.worker("mail");
        Map<JobId, Instant> ends = new TreeMap<>();
        rig.enqueue(job("mail").gate("g"));
        startAll(rig, worker, ends, length);
        rig.advance(length.dividedBy(3));
        rig.enqueue(job("mail").gate("x"));
        startAll(rig, worker, ends, length);
        JobId both = rig.enqueue(job("mail").gate("g", "x"));
        rig.enqueue(job("mail").gate("g"));
        rig.enqueue(job("mail").gate("x"));
        for (int end = 0; end < 60 && rig.state(both) == JobState.QUEUED; ) {
            rig.advance(untilSomethingHappens(rig, worker, ends));
            for (JobId id : endedBy(ends, rig.time().now())) {
                ends.remove(id);
                worker.finish(id);
                rig.enqueue(job("mail").gate(rig.status(id).gates().getFirst()));
                end++;
            }
            startAll(rig, worker, ends, length);
        }
        assertThat(rig.state(both)).isEqualTo(JobState.RUNNING);
    }

    private static void startAll(Rig rig, ScriptedWorker worker, Map<JobId, Instant> ends, Duration length) {
        worker.claim(4).forEach(id -> ends.put(id, rig.time().now().plus(length)));
    }

    private static Duration untilSomethingHappens(Rig rig, ScriptedWorker worker, Map<JobId, Instant> ends) {
        Instant next = ends.values().stream().min(Instant::compareTo).orElseThrow();
        Duration untilEnd = Duration.between(rig.time().now(), next);
        Duration sleep = worker.sleep();
        return sleep == null || sleep.compareTo(untilEnd) > 0 ? untilEnd : sleep;
    }

    private static List<JobId> endedBy(Map<JobId, Instant> ends, Instant now) {
        return ends.entrySet().stream()
                .filter(end -> !end.getValue().isAfter(now))
                .map(Map.Entry::getKey)
                .toList();
    }
}
