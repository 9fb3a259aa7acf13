package dev.headgate.internal.admission;

import static dev.headgate.internal.admission.Gates.SECOND;
import static dev.headgate.internal.admission.Gates.gate;
import static dev.headgate.internal.admission.Gates.queue;
import static dev.headgate.internal.admission.Gates.waiter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.admission.ClaimPlan.Head;
import dev.headgate.internal.admission.ClaimPlan.Offer;
import dev.headgate.job.Cost;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Serve;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Which queue is next, whatever the age of what waits there. */
class QueueTurnsTest {
    private static final long NOW = 900 * SECOND;

    private final Map<GateKey, GateLedger> gates = new HashMap<>();

    /** The first jobs of one queue's plain lane, of which more may wait. */
    private static Offer jobs(String queue, boolean isWhole, long... jobs) {
        return offer(queue, queue, List.of(), isWhole, jobs);
    }

    private static Offer offer(String queue, String lane, List<String> gateNames, boolean isWhole, long... jobs) {
        List<Head> heads = LongStream.of(jobs)
                .mapToObj(job -> new Head(job, job, Cost.ONE))
                .toList();
        return new Offer(lane, queue, gateNames.stream().map(GateKey::gate).toList(), heads, isWhole, 0);
    }

    private ClaimPlan plan(QueueTurns serving, int slots, Offer... offers) {
        ClaimPlan plan = new ClaimPlan(NOW, slots, gates, serving, JobFit.ALWAYS.trial());
        for (Offer offer : offers) {
            plan.offer(offer);
        }
        return plan.solve();
    }

    private static List<Long> granted(ClaimPlan plan) {
        return plan.grants().stream().map(ClaimPlan.Grant::job).toList();
    }

    private static QueueTurns serving(Serve order, String... queues) {
        return new QueueTurns(order, List.of(queues));
    }

    private static long[] range(long from, int count) {
        return LongStream.range(from, from + count).toArray();
    }

    @Test
    void strictServesTheQueueNamedFirstHoweverYoungItsJobs() {
        QueueTurns strict = serving(Serve.STRICT, "urgent", "bulk");
        ClaimPlan plan = plan(strict, 3, jobs("bulk", true, 1, 2, 3), jobs("urgent", true, 8, 9));
        assertThat(granted(plan)).containsExactly(8L, 9L, 1L);
        assertThat(granted(plan(
                        serving(Serve.STRICT, "bulk", "urgent"), 3, jobs("urgent", true, 8), jobs("bulk", true, 9))))
                .containsExactly(9L, 8L);
    }

    @Test
    void strictPassesOverWhatIsBlockedOrShut() {
        gates.put(GateKey.gate("g"), gate("g", "concurrency 1"));
        gates.put(GateKey.queue("shut"), queue("shut", "concurrency 1"));
        gates.get(GateKey.gate("g")).take(waiter("holder", 0), NOW);
        gates.get(GateKey.queue("shut")).take(waiter("holder", 0), NOW);
        ClaimPlan plan = plan(
                serving(Serve.STRICT, "gated", "shut", "bulk"),
                5,
                offer("gated", "lane", List.of("g"), false, 1, 2),
                jobs("shut", false, 3, 4),
                jobs("bulk", true, 5, 6));
        assertThat(granted(plan)).containsExactly(5L, 6L);
    }

    @Test
    void nobodyGetsTheSlotsOfAnEarlierQueueThatWasOnlyPartlyRead() {
        QueueTurns strict = serving(Serve.STRICT, "urgent", "bulk");
        ClaimPlan plan = plan(strict, 9, jobs("bulk", true, 1, 2, 3), jobs("urgent", false, 8, 9));
        assertThat(granted(plan)).containsExactly(8L, 9L);
        assertThat(plan.slotsLeft()).isEqualTo(7);

        ClaimPlan unreadLanes = new ClaimPlan(NOW, 9, gates, strict, JobFit.ALWAYS.trial());
        unreadLanes.offer(jobs("bulk", true, 1));
        unreadLanes.offer(jobs("urgent", true, 8));
        unreadLanes.hasMore("urgent");
        assertThat(granted(unreadLanes.solve())).containsExactly(8L);
    }

    @Test
    void aQueueOfWhichNothingMovedHoldsUpNobody() {
        ClaimPlan plan = new ClaimPlan(NOW, 9, gates, serving(Serve.STRICT, "urgent", "bulk"), JobFit.ALWAYS.trial());
        plan.hasMore("urgent");
        plan.offer(jobs("bulk", true, 1));
        assertThat(granted(plan.solve())).containsExactly(1L);
    }

    @Test
    void roundRobinTakesOneOfEachInTurnAndRemembersWhoseTurnItIs() {
        QueueTurns serving = serving(Serve.ROUND_ROBIN, "a", "b", "c");
        ClaimPlan four =
                plan(serving, 4, jobs("a", false, range(1, 9)), jobs("b", false, 101, 102), jobs("c", false, 201));
        assertThat(granted(four)).containsExactly(1L, 101L, 201L, 2L);
        ClaimPlan next = plan(four.served(), 2, jobs("a", false, 3, 4), jobs("b", false, 102, 103));
        assertThat(granted(next)).containsExactly(102L, 3L);
    }

    @Test
    void oneSlotAtATimeIsSharedAsManyAre() {
        Serve weighted = Serve.weighted(Map.of("a", 3, "b", 1));
        QueueTurns serving = serving(weighted, "a", "b");
        List<Long> one = new ArrayList<>();
        for (int turn = 0; turn < 40; turn++) {
            ClaimPlan plan = plan(serving, 1, jobs("a", false, 1), jobs("b", false, 2));
            one.addAll(granted(plan));
            serving = plan.served();
        }
        assertThat(one).filteredOn(job -> job == 1).hasSize(30);
        ClaimPlan all =
                plan(serving(weighted, "a", "b"), 40, jobs("a", false, range(1, 40)), jobs("b", false, range(101, 40)));
        assertThat(granted(all)).filteredOn(job -> job > 100).hasSize(10);
    }

    @Test
    void aQueueThatWasIdleHasNeitherCreditNorDebt() {
        QueueTurns serving = serving(Serve.weighted(Map.of("a", 1, "b", 1)), "a", "b");
        for (int turn = 0; turn < 1000; turn++) {
            serving = plan(serving, 1, jobs("a", false, 1)).served();
        }
        ClaimPlan both = plan(serving, 10, jobs("a", false, range(1, 10)), jobs("b", false, range(101, 10)));
        assertThat(granted(both)).filteredOn(job -> job > 100).hasSize(5);
    }

    @Test
    void whatIsBlockedIsNotChargedForItsTurn() {
        gates.put(GateKey.queue("a"), queue("a", "concurrency 2"));
        ClaimPlan plan = plan(
                serving(Serve.ROUND_ROBIN, "a", "b"),
                10,
                jobs("a", false, range(1, 9)),
                jobs("b", true, range(101, 9)));
        assertThat(granted(plan)).containsExactly(1L, 101L, 2L, 102L, 103L, 104L, 105L, 106L, 107L, 108L);
    }

    /** Between two starts of a queue, another one never gets more than its weight allows and one; whatever comes and goes. */
    @Test
    void noQueueStarvesUnderWeights() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            Map<String, Integer> weights = new TreeMap<>();
            List<String> queues = IntStream.range(0, 2 + random.nextInt(5))
                    .mapToObj(number -> "q" + number)
                    .toList();
            queues.forEach(queue -> weights.put(queue, 1 + random.nextInt(20)));
            int sum = weights.values().stream().mapToInt(Integer::intValue).sum();
            QueueTurns serving = new QueueTurns(Serve.weighted(weights), queues);
            Map<String, Integer> waited = new TreeMap<>();
            Map<String, Integer> starts = new TreeMap<>();
            for (int turn = 0; turn < 400; turn++) {
                int slots = 1 + random.nextInt(3);
                Offer[] offers = queues.stream()
                        .map(queue -> jobs(queue, false, 1, 2, 3))
                        .toArray(Offer[]::new);
                ClaimPlan plan = plan(serving, slots, offers);
                serving = plan.served();
                for (ClaimPlan.Grant grant : plan.grants()) {
                    queues.forEach(queue -> waited.merge(queue, 1, Integer::sum));
                    waited.put(grant.lane(), 0);
                    starts.merge(grant.lane(), 1, Integer::sum);
                    waited.forEach((queue, others) -> assertThat(others)
                            .as("queue %s of %s", queue, weights)
                            .isLessThanOrEqualTo(Math.ceilDiv(sum, weights.get(queue)) + queues.size()));
                }
            }
            int all = starts.values().stream().mapToInt(Integer::intValue).sum();
            starts.forEach((queue, count) -> assertThat(count)
                    .as("starts of %s of %s", queue, weights)
                    .isCloseTo(
                            Math.round((float) all * weights.get(queue) / sum),
                            org.assertj.core.data.Offset.offset(2)));
        }
    }

    @Test
    void faultsOfWeightsAreNamed() {
        Serve weights = Serve.weighted(Map.of("a", 0, "z", 2));
        assertThat(weights.faults(List.of("a", "b")))
                .containsExactly(
                        "serving: expected a weight for each queue, got none for 'b'",
                        "serving: expected a weight of 1 to 1000, got 0 for 'a'",
                        "serving: expected weights of queues that it serves, got one for 'z'; it serves a, b");
        assertThat(Serve.STRICT.faults(List.of("a"))).isEmpty();
    }
}
