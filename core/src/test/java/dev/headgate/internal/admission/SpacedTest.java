package dev.headgate.internal.admission;

import static dev.headgate.internal.admission.Gates.SECOND;
import static dev.headgate.internal.admission.Gates.gate;
import static dev.headgate.limit.Limit.delay;
import static dev.headgate.limit.Limit.spaced;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.explain.Decision;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

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
