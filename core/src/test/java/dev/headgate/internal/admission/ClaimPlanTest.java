package dev.headgate.internal.admission;

import static dev.headgate.internal.admission.Gates.SECOND;
import static dev.headgate.internal.admission.Gates.gate;
import static dev.headgate.internal.admission.Gates.queue;
import static dev.headgate.internal.admission.Gates.waiter;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.headgate.internal.admission.ClaimPlan.Fate;
import dev.headgate.internal.admission.ClaimPlan.Head;
import dev.headgate.internal.admission.ClaimPlan.Offer;
import dev.headgate.job.Cost;
import dev.headgate.limit.GateKey;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ClaimPlanTest {
    private static final long NOW = 900 * SECOND;

    private final Map<GateKey, GateLedger> gates = new HashMap<>();

    private void has(GateLedger... ledgers) {
        Arrays.stream(ledgers).forEach(ledger -> gates.put(ledger.key(), ledger));
    }

    private ClaimPlan plan(int slots) {
        return new ClaimPlan(NOW, slots, gates);
    }

    /** A lane of queue q that holds just these jobs; a job's number is its rank. */
    private static Offer lane(String lane, List<String> gateNames, long... jobs) {
        return offer(lane, gateNames, 0, true, jobs);
    }

    private static Offer offer(String lane, List<String> gateNames, int passes, boolean isWhole, long... jobs) {
        List<Head> heads = LongStream.of(jobs)
                .mapToObj(job -> new Head(job, job, Cost.ONE))
                .toList();
        return new Offer(lane, "q", gateNames.stream().map(GateKey::gate).toList(), heads, isWhole, passes);
    }

    private static List<Long> granted(ClaimPlan plan) {
        return plan.grants().stream().map(ClaimPlan.Grant::job).toList();
    }

    @Test
    void theOldestHeadOfAllLanesGoesFirst() {
        has(gate("a", ""), gate("b", ""));
        ClaimPlan plan = plan(5);
        plan.offer(lane("b", List.of("b"), 2, 5, 9));
        plan.offer(lane("a", List.of("a"), 1, 3, 4));
        plan.offer(lane("plain", List.of(), 6, 7));
        assertThat(granted(plan.solve())).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(plan.slotsLeft()).isZero();
        assertThat(plan.fates())
                .containsEntry("b", new Fate.Ready(9, Cost.ONE))
                .containsEntry("a", new Fate.Empty())
                .containsEntry("plain", new Fate.Ready(6, Cost.ONE));
    }

    @Test
    void aLaneThatMayHoldMoreStaysReadyBehindItsLastSeenJob() {
        has(gate("a", ""));
        ClaimPlan plan = plan(9);
        plan.offer(offer("a", List.of("a"), 0, false, 1, 2));
        assertThat(plan.solve().fates()).containsEntry("a", new Fate.Ready(2, Cost.ONE));
    }

    @Test
    void aBlockedLaneLeavesForTheLineAndNobodyYoungerPassesIt() {
        has(gate("a", "budget 5"));
        gates.get(GateKey.gate("a")).take(waiter("holder", 0, 3), NOW);
        ClaimPlan plan = plan(9);
        plan.offer(new Offer("big", "q", List.of(GateKey.gate("a")), List.of(new Head(1, 1, Cost.of(4))), true, 0));
        plan.offer(new Offer("small", "q", List.of(GateKey.gate("a")), List.of(new Head(2, 2, Cost.ONE)), true, 0));
        assertThat(granted(plan.solve())).isEmpty();
        assertThat(plan.fates())
                .containsEntry("big", new Fate.Waiting(GateKey.gate("a"), 1, Cost.of(4), 1))
                .containsEntry("small", new Fate.Waiting(GateKey.gate("a"), 2, Cost.ONE, 1));
        assertThat(gates.get(GateKey.gate("a")).line().head()).isEqualTo(new Waiter("big", 1, 4, 1, ""));
    }

    @Test
    void aStartTakesAllItsGatesOrNone() {
        has(gate("a", "concurrency 1"), gate("b", "concurrency 1"), queue("q", "rate 1/1s burst 5"));
        gates.get(GateKey.gate("b")).take(waiter("holder", 0), NOW);
        ClaimPlan plan = plan(9);
        plan.offer(lane("both", List.of("a", "b"), 1));
        plan.offer(lane("single", List.of("a"), 2));
        assertThat(granted(plan.solve())).containsExactly(2L);
        assertThat(gates.get(GateKey.queue("q")).state().leases()).isEqualTo(1);
        assertThat(plan.fates()).containsEntry("both", new Fate.Waiting(GateKey.gate("b"), 1, Cost.ONE, 1));
    }

    @Test
    void aShutQueueKeepsItsLanesReadyAndTouchesNoLine() {
        has(gate("a", ""), queue("q", "concurrency 1"));
        ClaimPlan plan = plan(9);
        plan.offer(lane("a", List.of("a"), 1, 3));
        plan.offer(lane("plain", List.of(), 2));
        assertThat(granted(plan.solve())).containsExactly(1L);
        assertThat(plan.shutQueues()).containsOnlyKeys("q");
        assertThat(plan.fates())
                .containsEntry("a", new Fate.Ready(3, Cost.ONE))
                .containsEntry("plain", new Fate.Ready(2, Cost.ONE));
    }

    @Test
    void aJobThatNeverFitsIsSetAsideAndBlocksNobody() {
        has(gate("a", "budget 3"));
        ClaimPlan plan = plan(9);
        List<Head> heads = List.of(new Head(1, 1, Cost.of(9)), new Head(2, 2, Cost.of(3)));
        plan.offer(new Offer("a", "q", List.of(GateKey.gate("a")), heads, true, 0));
        assertThat(granted(plan.solve())).containsExactly(2L);
        assertThat(plan.impossibleJobs())
                .extracting(ClaimPlan.ImpossibleJob::job)
                .containsExactly(1L);
        assertThat(plan.fates()).containsEntry("a", new Fate.Empty());
    }

    @Test
    void anEmptyLaneIsEmptyAndGivesUpWhatWasKeptForIt() {
        has(gate("a", "concurrency 1"));
        gates.get(GateKey.gate("a")).reserve(waiter("gone", 1), NOW + SECOND);
        ClaimPlan plan = plan(9);
        plan.offer(lane("gone", List.of("a")));
        assertThat(plan.solve().fates()).containsEntry("gone", new Fate.Empty());
        assertThat(gates.get(GateKey.gate("a")).state().reservation()).isNull();
    }

    @Test
    void aRestartTakesItsPlaceBeforeTheLineButPaysLikeAnyStart() {
        has(gate("a", "concurrency 1; rate 1/1s burst 2"));
        gates.get(GateKey.gate("a")).line().head(waiter("waiting", 0));
        ClaimPlan plan = plan(2);
        assertThat(plan.restart(lane("again", List.of("a"), 5))).isNotNull();
        assertThat(plan.slotsLeft()).isEqualTo(1);
        assertThat(plan.restart(lane("other", List.of("a"), 6))).isNull();
        gates.get(GateKey.gate("a")).release(1);
        assertThat(plan.restart(lane("again", List.of("a"), 5))).isNotNull();
        gates.get(GateKey.gate("a")).release(1);
        assertThat(plan(2).restart(lane("again", List.of("a"), 5))).isNull();
    }

    @Test
    void aRestartNeedsASlot() {
        assertThat(plan(0).restart(lane("again", List.of(), 5))).isNull();
    }

    @Test
    void aLaneThatWasBouncedTooOftenGetsItsOtherGatesKept() {
        has(gate("a", "concurrency 1"), gate("b", "concurrency 1"));
        gates.get(GateKey.gate("b")).take(waiter("holder", 0), NOW);
        ClaimPlan plan = plan(9);
        plan.offer(offer("both", List.of("a", "b"), ClaimPlan.PASSES_MAX - 1, true, 1));
        plan.offer(lane("single", List.of("a"), 2));
        assertThat(granted(plan.solve())).isEmpty();
        assertThat(gates.get(GateKey.gate("a")).state().reservation().until())
                .isEqualTo(NOW + ClaimPlan.RESERVED_MICROS);
    }

    @Test
    void everyFurtherBounceKeepsThemTwiceAsLongUpToABound() {
        assertThat(reservedAfter(ClaimPlan.PASSES_MAX - 2)).isZero();
        assertThat(reservedAfter(ClaimPlan.PASSES_MAX)).isEqualTo(2 * ClaimPlan.RESERVED_MICROS);
        assertThat(reservedAfter(ClaimPlan.PASSES_MAX + 2)).isEqualTo(8 * ClaimPlan.RESERVED_MICROS);
        assertThat(reservedAfter(1_000_000)).isEqualTo(1024 * ClaimPlan.RESERVED_MICROS);
    }

    private long reservedAfter(int passes) {
        gates.clear();
        has(gate("a", "concurrency 1"), gate("b", "concurrency 1"));
        gates.get(GateKey.gate("b")).take(waiter("holder", 0), NOW);
        ClaimPlan plan = plan(9);
        plan.offer(offer("both", List.of("a", "b"), passes, true, 1));
        plan.solve();
        var kept = gates.get(GateKey.gate("a")).state().reservation();
        return kept == null ? 0 : kept.until() - NOW;
    }

    @Test
    void nothingIsKeptForALaneThatOnlyTimeWillLetPass() {
        has(gate("a", "concurrency 1"), gate("b", "rate 1/1h burst 1"));
        gates.get(GateKey.gate("b")).take(waiter("holder", 0), NOW);
        ClaimPlan plan = plan(9);
        plan.offer(offer("both", List.of("a", "b"), 50, true, 1));
        plan.offer(lane("single", List.of("a"), 2));
        assertThat(granted(plan.solve())).containsExactly(2L);
    }

    @Test
    void aGateWithoutARowIsABug() {
        assertThatIllegalStateException().isThrownBy(() -> plan(1).offer(lane("a", List.of("missing"), 1)));
    }

    @Test
    void theSameOffersInAnyOrderMakeTheSamePlan() {
        List<Offer> offers = List.of(
                lane("x", List.of("a"), 3, 8),
                lane("y", List.of("a", "b"), 1, 9),
                lane("z", List.of("b"), 2, 4),
                lane("p", List.of(), 5));
        List<Long> expected = null;
        for (int rotation = 0; rotation < offers.size(); rotation++) {
            gates.clear();
            has(gate("a", "concurrency 2"), gate("b", "rate 1/1s burst 2"));
            ClaimPlan plan = plan(4);
            for (int i = 0; i < offers.size(); i++) {
                plan.offer(offers.get((i + rotation) % offers.size()));
            }
            List<Long> now = granted(plan.solve());
            assertThat(now).isEqualTo(expected == null ? now : expected);
            expected = now;
        }
    }

    @Test
    void eachGateIsAskedForTheUnitsTheJobHasThere() {
        has(gate("requests", "budget 2"), gate("tokens", "budget 100"), queue("q", "budget 9"));
        List<Head> heads = List.of(
                new Head(1, 1, Cost.ONE.with("tokens", 60)),
                new Head(2, 2, Cost.ONE.with("tokens", 40)),
                new Head(3, 3, Cost.ONE.with("tokens", 101)),
                new Head(4, 4, Cost.ONE));
        ClaimPlan plan = plan(9);
        List<GateKey> both = List.of(GateKey.gate("requests"), GateKey.gate("tokens"));
        plan.offer(new Offer("a", "q", both, heads, true, 0));
        assertThat(granted(plan.solve())).containsExactly(1L, 2L);
        assertThat(plan.impossibleJobs())
                .extracting(ClaimPlan.ImpossibleJob::job)
                .containsExactly(3L);
        assertThat(gates.get(GateKey.gate("requests")).state().units()).isEqualTo(2);
        assertThat(gates.get(GateKey.gate("tokens")).state().units()).isEqualTo(100);
        assertThat(gates.get(GateKey.queue("q")).state().units()).isEqualTo(2);
        assertThat(plan.fates().get("a")).isInstanceOf(Fate.Waiting.class);
    }
}
