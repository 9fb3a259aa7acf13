package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobId;
import dev.headgate.limit.Serve;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Several queues on one worker: in the order it was told, whatever the shape of what waits in them. */
public interface ServingContract extends StoreFixture {
    @Test
    default void strictServesTheFirstQueueWhateverItsLanes(Rig rig) {
        List<JobId> bulk = rig.enqueue(3, job("bulk"));
        rig.enqueue(4, job("bulk").gate("b"));
        JobId lonely = rig.enqueue(job("urgent").gate("x"));
        List<JobId> longLane = rig.enqueue(5, job("urgent").gate("y"));
        List<JobId> plain = rig.enqueue(2, job("urgent"));
        ScriptedWorker worker = rig.worker("urgent", "bulk").serving(Serve.STRICT);
        assertThat(worker.claim(8))
                .containsExactlyInAnyOrderElementsOf(List.of(
                        lonely,
                        longLane.get(0),
                        longLane.get(1),
                        longLane.get(2),
                        longLane.get(3),
                        longLane.get(4),
                        plain.get(0),
                        plain.get(1)));
        assertThat(worker.claim(1)).containsExactly(bulk.getFirst());
    }

    @Test
    default void strictReadsOnBeforeItServesTheNextQueue(Rig rig) {
        rig.policy("gate shut:*", "concurrency 1");
        ScriptedWorker other = rig.worker("other");
        for (int lane = 0; lane < 12; lane++) {
            rig.enqueue(job("other").gate("shut:" + lane));
        }
        assertThat(other.claimAll()).hasSize(12);
        for (int lane = 0; lane < 12; lane++) {
            rig.enqueue(job("urgent").gate("shut:" + lane));
        }
        JobId free = rig.enqueue(job("urgent").gate("open"));
        List<JobId> bulk = rig.enqueue(3, job("bulk"));
        ScriptedWorker worker = rig.worker("urgent", "bulk").serving(Serve.STRICT);
        assertThat(worker.claim(2)).containsExactly(free, bulk.getFirst());
    }

    @Test
    default void aLaterQueueGetsWhatEarlierOnesCannotUse(Rig rig) {
        rig.policy("queue urgent", "concurrency 2").policy("queue slow", "rate 1/1s burst 1");
        rig.enqueue(5, job("urgent"));
        rig.enqueue(5, job("slow").gate("g"));
        List<JobId> bulk = rig.enqueue(9, job("bulk"));
        ScriptedWorker worker = rig.worker("urgent", "slow", "bulk").serving(Serve.STRICT);
        List<JobId> started = worker.claim(6);
        assertThat(byQueue(rig, started)).isEqualTo(Map.of("urgent", 2, "slow", 1, "bulk", 3));
        assertThat(started).containsAll(bulk.subList(0, 3));
        rig.advance(Duration.ofSeconds(1));
        assertThat(byQueue(rig, worker.claim(1))).containsOnlyKeys("slow");
    }

    @Test
    default void weightsHoldForOneSlotAndForMany(Rig rig) {
        rig.enqueue(100, job("mail"));
        for (int lane = 0; lane < 10; lane++) {
            rig.enqueue(10, job("video").gate("tenant:" + lane));
        }
        Serve weighted = Serve.weighted(Map.of("mail", 3, "video", 1));
        ScriptedWorker worker = rig.worker("mail", "video").serving(weighted);
        Map<String, Integer> started = new HashMap<>();
        for (int turn = 0; turn < 16; turn++) {
            byQueue(rig, worker.claim(1)).forEach((queue, jobs) -> started.merge(queue, jobs, Integer::sum));
        }
        assertThat(started).isEqualTo(Map.of("mail", 12, "video", 4));
        assertThat(byQueue(rig, worker.claim(40))).isEqualTo(Map.of("mail", 30, "video", 10));
    }

    @Test
    default void oneLaneKeepsItsQueuesShareBesideManyLanes(Rig rig) {
        for (int lane = 0; lane < 60; lane++) {
            rig.enqueue(job("crawl").gate("host:" + lane));
        }
        rig.enqueue(60, job("mail").gate("relay"));
        ScriptedWorker worker = rig.worker("crawl", "mail").serving(Serve.ROUND_ROBIN);
        assertThat(byQueue(rig, worker.claim(40))).isEqualTo(Map.of("crawl", 20, "mail", 20));
    }

    @Test
    default void noQueueStarvesUnderWeights(Rig rig) {
        rig.enqueue(300, job("heavy"));
        rig.enqueue(3, job("light"));
        rig.enqueue(3, job("rare").gate("g"));
        Serve weighted = Serve.weighted(Map.of("heavy", 20, "light", 1, "rare", 1));
        ScriptedWorker worker = rig.worker("heavy", "light", "rare").serving(weighted);
        Map<String, Integer> started = byQueue(rig, worker.claim(46));
        assertThat(started.get("light")).isGreaterThanOrEqualTo(2);
        assertThat(started.get("rare")).isGreaterThanOrEqualTo(2);
    }

    @Test
    default void aFairQueueKeepsItsSharesWithinItsTurns(Rig rig) {
        rig.policy("queue mail", "fair by tenant:*");
        rig.enqueue(20, job("mail").gate("tenant:a"));
        rig.enqueue(20, job("mail").gate("tenant:b"));
        rig.enqueue(20, job("video"));
        ScriptedWorker worker = rig.worker("mail", "video").serving(Serve.ROUND_ROBIN);
        List<JobId> started = worker.claim(12);
        assertThat(byQueue(rig, started)).isEqualTo(Map.of("mail", 6, "video", 6));
        assertThat(started)
                .filteredOn(id -> rig.status(id).gates().contains("tenant:b"))
                .hasSize(3);
    }

    private static Map<String, Integer> byQueue(Rig rig, List<JobId> jobs) {
        Map<String, Integer> byQueue = new HashMap<>();
        jobs.forEach(id -> byQueue.merge(rig.status(id).queue(), 1, Integer::sum));
        return byQueue;
    }
}
