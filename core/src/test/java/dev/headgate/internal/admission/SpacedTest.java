package dev.headgate.internal.admission;

import static dev.headgate.internal.admission.Gates.SECOND;
import static dev.headgate.internal.admission.Gates.gate;
import static dev.headgate.limit.Limit.delay;
import static dev.headgate.limit.Limit.spaced;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.explain.Decision;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpacedTest {
    private static final long NOW = 1_767_225_600L * SECOND;

    @Test
    void tenPerTenSecondsStartASecondApartWhateverTheJobsDo() {
        GateLedger gate = gate("a", "spaced 10/10s");
        int winners = 0;
        for (int i = 0; i < 5; i++) {
            winners += gate.tryTake(i, 1, NOW) ? 1 : 0;
        }
        assertThat(winners).isEqualTo(1);
        assertThat(gate.opens(1, NOW)).isEqualTo(NOW + SECOND);
        gate.release(0, 1, ReleaseKind.OK);
        assertThat(gate.tryTake(7, 1, NOW + SECOND - 1)).isFalse();
        assertThat(gate.tryTake(7, 1, NOW + SECOND)).isTrue();
        assertThat(gate.opens(1, NOW + 5 * SECOND)).isEqualTo(NOW + 5 * SECOND);
    }

    @Test
    void aDistanceThatIsNotWholeIsRoundedUpEachTime() {
        GateLedger gate = gate("a", "spaced 3/1s");
        assertThat(gate.tryTake(1, 1, NOW)).isTrue();
        assertThat(gate.opens(1, NOW)).isEqualTo(NOW + 333_334);
        assertThat(gate.tryTake(1, 1, NOW + 333_334)).isTrue();
        assertThat(gate.opens(1, NOW + 333_334)).isEqualTo(NOW + 666_668);
    }

    @Test
    void aDelayHasOneWinner() {
        GateLedger gate = gate("a", "delay 100ms");
        assertThat(gate.tryTake(1, 1, NOW)).isTrue();
        assertThat(gate.tryTake(2, 1, NOW)).isFalse();
        assertThat(gate.tryTake(2, 1, NOW + 99_999)).isFalse();
        assertThat(gate.tryTake(2, 1, NOW + 100_000)).isTrue();
    }

    @Test
    void byCostAJobKeepsTheGateShutForItsUnits() {
        GateLedger gate = gate("a", "spaced 10/1s by-cost");
        assertThat(gate.tryTake(1, 25, NOW)).isTrue();
        assertThat(gate.opens(1, NOW)).isEqualTo(NOW + 2_500_000);
        assertThat(gate.tryTake(2, 0, NOW)).isTrue();
        assertThat(gate.opens(1_000_000, NOW)).isEqualTo(NOW + 2_500_000);
    }

    @Test
    void aChangedDistanceCountsFromTheLastStart() {
        GateLedger gate = gate("a", "delay 1h");
        gate.tryTake(1, 1, NOW);
        GateState state = gate.state();
        assertThat(new GateLedger(gate.key(), GatePolicy.parse("delay 1s"), state).opens(1, NOW))
                .isEqualTo(NOW + SECOND);
        assertThat(new GateLedger(gate.key(), GatePolicy.parse("spaced 2/1d"), state).opens(1, NOW))
                .isEqualTo(NOW + 43_200 * SECOND);
    }

    @Test
    void ofTwoDistancesTheStricterCounts() {
        GateLedger gate = gate("a", "delay 100ms; spaced 10/10s");
        assertThat(gate.tryTake(1, 1, NOW)).isTrue();
        assertThat(gate.opens(1, NOW)).isEqualTo(NOW + SECOND);
        assertThat(gate.checkLimits(Gates.waiter("l", 1), NOW + 50_000))
                .extracting(said -> ((Decision.Blocked) said).cause().text())
                .isEqualTo("last start 50ms ago (spaced 10/10s)");
        assertThat(gate.tryTake(2, 1, NOW + SECOND - 1)).isFalse();
        assertThat(gate.tryTake(2, 1, NOW + SECOND)).isTrue();
        assertThat(gate.figures(NOW + SECOND).of(Limit.delay(Duration.ofMillis(100))))
                .isEqualTo("last start 0s ago");
    }

    /** From start to start, and from the end of a call to the next start: each remembers what it counts. */
    @Test
    void twoDistancesWithDifferentMarginsRememberTheirOwnStarts() {
        GatePolicy policy = GatePolicy.parse("spaced 10/10s; delay 400ms margin end");
        GateLedger gate = new GateLedger(GateKey.gate("a"), policy, GateState.NEW);
        Start first = new Start(NOW, gate.margin());
        assertThat(gate.tryTake(1, 1, NOW)).isTrue();
        assertThat(gate.opens(1, NOW + 5 * SECOND)).isEqualTo(GateLedger.UNTIL_RELEASE);
        gate.release(1, 1, ReleaseKind.OK, first, NOW + 300_000);
        gate = restored(gate, policy);
        assertThat(gate.opens(1, NOW + 300_000)).as("from the start").isEqualTo(NOW + SECOND);
        assertThat(gate.tryTake(2, 1, NOW + SECOND)).isTrue();
        gate.release(2, 1, ReleaseKind.OK, new Start(NOW + SECOND, gate.margin()), NOW + 3 * SECOND);
        gate = restored(gate, GatePolicy.parse("delay 400ms margin end; spaced 10/10s"));
        assertThat(gate.opens(1, NOW + 3 * SECOND)).as("from the end").isEqualTo(NOW + 3 * SECOND + 400_000);
    }

    @ParameterizedTest
    @CsvSource({
        "delay 1h, delay 1s; delay 2s, 2",
        "delay 1h, delay 2s; delay 1s, 2",
        "delay 1s; delay 2s, delay 3s, 3",
        "delay 1s; delay 2s, delay 5s; delay 4s; delay 3s, 5",
        "delay 1s margin end; delay 2s, delay 3s; concurrency 9, 3",
        "delay 1s; delay 2s, delay 3s margin end, 3"
    })
    void distancesThatComeOrGoCountFromTheLastStart(String before, String after, long seconds) {
        GateLedger gate = gate("a", before);
        assertThat(gate.tryTake(1, 1, NOW)).isTrue();
        gate.release(1, 1, ReleaseKind.OK, new Start(NOW, gate.margin()), NOW);
        GateLedger changed = restored(gate, GatePolicy.parse(after));
        assertThat(changed.opens(1, NOW)).isEqualTo(NOW + seconds * SECOND);
        assertThat(restored(changed, GatePolicy.parse(after)).opens(1, NOW)).isEqualTo(changed.opens(1, NOW));
    }

    @Test
    void aDistanceThatWasAwayForAWhileCountsFromTheLastStartToo() {
        GatePolicy both = GatePolicy.parse("delay 1s; delay 5s");
        GateLedger gate = new GateLedger(GateKey.gate("a"), both, GateState.NEW);
        assertThat(gate.tryTake(1, 1, NOW)).isTrue();
        gate = restored(gate, GatePolicy.parse("delay 1s"));
        assertThat(gate.tryTake(2, 1, NOW + 5 * SECOND)).isTrue();
        assertThat(restored(gate, both).opens(1, NOW + 5 * SECOND)).isEqualTo(NOW + 10 * SECOND);
    }

    @Test
    void aDistanceThatGoesLeavesTheLaterStartToTheOnesThatStay() {
        GateLedger gate = gate("a", "delay 1s; delay 10s margin end");
        assertThat(gate.tryTake(1, 1, NOW)).isTrue();
        gate.release(1, 1, ReleaseKind.OK, new Start(NOW, gate.margin()), NOW + 3 * SECOND);
        assertThat(restored(gate, GatePolicy.parse("delay 10s margin end")).opens(1, NOW + 3 * SECOND))
                .isEqualTo(NOW + 13 * SECOND);
    }

    @Test
    void theSameDistanceTwiceIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GatePolicy.parse("delay 1s; concurrency 3; spaced 1/1s"))
                .withMessage(
                        "policy: expected at most one limit of each kind, period and unit, got 'delay 1s' and 'delay 1s'; leave one of them out");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> GatePolicy.parse("delay 1s; shadow delay 2s; shadow delay 3s; shadow delay 2s"))
                .withMessageContaining("leave one of them out");
        assertThat(GatePolicy.parse("delay 1s; spaced 10/10s; delay 3s; shadow delay 2s; shadow delay 3s")
                        .text())
                .isEqualTo("delay 1s; spaced 10/10s; delay 3s; shadow delay 2s; shadow delay 3s");
    }

    private static GateLedger restored(GateLedger gate, GatePolicy policy) {
        GateState state = gate.state();
        GateState.Stored stored = new GateState.Stored(state.leases(), state.units(), state.memory());
        return GateLedger.restore(gate.key(), policy, stored, state.seen());
    }

    @Test
    void extremesDoNotOverflow() {
        GateLedger gate = gate("a", "spaced 1/366d by-cost");
        assertThat(gate.tryTake(1, Limit.COUNT_MAX, NOW)).isTrue();
        assertThat(gate.opens(1, NOW)).isEqualTo(Meter.FAR);
        assertThat(gate.checkLimits(Gates.waiter("l", 1), NOW)).isInstanceOf(Decision.Blocked.class);
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> spaced(Limit.COUNT_MAX).per(Duration.ofDays(366)).byCost())
                .withMessageContaining("shorter period");
    }

    @Test
    void nonsenseIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> delay(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> delay(Duration.ofSeconds(-1)));
        assertThatIllegalArgumentException().isThrownBy(() -> spaced(0).per(Duration.ofSeconds(1)));
    }
}
