package dev.headgate.internal.admission;

import static dev.headgate.internal.admission.Gates.SECOND;
import static dev.headgate.internal.admission.Gates.gate;
import static dev.headgate.internal.admission.Gates.waiter;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.admission.ClaimPlan.Head;
import dev.headgate.internal.admission.ClaimPlan.Offer;
import dev.headgate.job.Cost;
import dev.headgate.limit.FairShare;
import dev.headgate.limit.FairShare.Charge;
import dev.headgate.limit.GateKey;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What is kept for a lane of several gates ends with what that lane wanted, or lanes wait for each other. */
class ReservationTest {
    private static final long NOW = 900 * SECOND;
    private static final long LONG = NOW + 600 * SECOND;

    private final GateLedger a = gate("a", "concurrency 1");
    private final GateLedger b = gate("b", "concurrency 1");
    private final GateLedger small = gate("t:small", "");
    private final GateLedger large = gate("t:large", "");

    private List<Long> solve(Offer... offers) {
        Map<GateKey, GateLedger> gates =
                List.of(a, b, small, large).stream().collect(Collectors.toMap(GateLedger::key, Function.identity()));
        ClaimPlan plan = new ClaimPlan(NOW, 9, gates);
        Arrays.stream(offers).forEach(plan::offer);
        return plan.solve().grants().stream().map(ClaimPlan.Grant::job).toList();
    }

    /** A lane with one job, whose number is its rank. */
    private static Offer lane(String lane, long job, String... gates) {
        List<GateKey> keys = Arrays.stream(gates).map(GateKey::gate).toList();
        return new Offer(lane, "q", keys, List.of(new Head(job, job, Cost.ONE)), true, 0);
    }

    @Test
    void itKeepsYoungerOnesOut() {
        a.reserve(waiter("both", 1), LONG);
        assertThat(solve(lane("single", 5, "a"))).isEmpty();
        assertThat(solve(lane("both", 1, "a", "b"))).containsExactly(1L);
        assertThat(a.state().reservation()).isNull();
    }

    @Test
    void itEndsWithTheJobItWasMadeFor() {
        b.take(waiter("holder", 0), NOW);
        a.reserve(waiter("both", 1), LONG);
        assertThat(solve(lane("both", 4, "a", "b"), lane("single", 5, "a"))).containsExactly(5L);
    }

    @Test
    void itStandsWhileItsJobIsBlockedElsewhere() {
        b.take(waiter("holder", 0), NOW);
        a.reserve(waiter("both", 1), LONG);
        assertThat(solve(lane("both", 1, "a", "b"), lane("single", 5, "a"))).isEmpty();
    }

    @Test
    void whoStandsInLineBehindOthersKeepsNothing() {
        b.line().head(waiter("older", 0));
        a.reserve(waiter("both", 1), LONG);
        assertThat(solve(lane("both", 1, "a", "b"), lane("single", 5, "a"))).containsExactly(5L);
    }

    @Test
    void whoStandsInLineAtTheGateItselfNeedsNothingKeptThere() {
        a.take(waiter("holder", 0), NOW);
        a.reserve(waiter("both", 1), LONG);
        assertThat(solve(lane("both", 1, "a", "b"))).isEmpty();
        assertThat(a.state().reservation()).isNull();
    }

    /** The small share has had nothing yet and goes first, but what is free is kept for an older job of the large one. */
    private Waiter aheadByShare() {
        Shares shares = new Shares(new FairShare("t:*", Charge.COST), 0, 0, key -> 1);
        shares.start("t:large", 9);
        shares.start("t:small", 1);
        a.line().shares(shares);
        a.reserve(waiter("both", 1), LONG);
        Waiter first = new Waiter("first", 5, 1, 5, "t:small");
        Waiter kept = new Waiter("both", 1, 1, 1, "t:large");
        a.line().head(first);
        assertThat(a.line().isBefore(first, kept)).isTrue();
        return kept;
    }

    @Test
    void whoIsKeptOutStandsInNobodysWay() {
        aheadByShare();
        assertThat(solve(lane("both", 1, "a", "b", "t:large"))).containsExactly(1L);
    }

    @Test
    void theGateOpensForTheFirstThatIsNotKeptOut() {
        Waiter kept = aheadByShare();
        assertThat(a.wakeAt(NOW)).isEqualTo(LONG);
        a.line().head(kept);
        assertThat(a.wakeAt(NOW)).isEqualTo(GateLedger.AT_ONCE);
    }
}
