package dev.headgate.internal.admission;

import static dev.headgate.internal.admission.Gates.SECOND;
import static dev.headgate.internal.admission.Gates.gate;
import static dev.headgate.internal.admission.Gates.waiter;
import static dev.headgate.limit.Limit.window;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.explain.Decision;
import dev.headgate.explain.Decision.Cause.AtLimit;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WindowTest {
    private static final long NOW = 1_767_225_600L * SECOND;

    private static GateLedger reopened(GateLedger gate, String limits) {
        GateState state = gate.state();
        return GateLedger.restore(
                gate.key(),
                GatePolicy.parse(limits),
                new GateState.Stored(state.leases(), state.units(), state.memory()),
                NOW);
    }

    @Test
    void aStartExactlyOneWindowAgoNoLongerCounts() {
        GateLedger gate = gate("a", "window 2/3s");
        assertThat(gate.tryTake(1, 1, NOW)).isTrue();
        assertThat(gate.tryTake(2, 1, NOW + SECOND)).isTrue();
        assertThat(gate.opens(1, NOW + SECOND)).isEqualTo(NOW + 3 * SECOND);
        assertThat(gate.tryTake(3, 1, NOW + 3 * SECOND - 1)).isFalse();
        assertThat(gate.tryTake(3, 1, NOW + 3 * SECOND)).isTrue();
        assertThat(gate.opens(1, NOW + 3 * SECOND)).isEqualTo(NOW + 4 * SECOND);
    }

    @Test
    void aDenialNamesTheFiguresAndTheInstant() {
        GateLedger gate = gate("a", "window 1/1m");
        gate.take(waiter("l", 1), NOW);
        assertThat(gate.checkLimits(waiter("l", 1), NOW + SECOND))
                .isEqualTo(new Decision.Blocked(
                        gate.key(),
                        new AtLimit(Limit.parse("window 1/1m"), 1, 1, "1 of 1 in the last 1m"),
                        Micros.instant(NOW + 60 * SECOND)));
    }

    @Test
    void byCostItCountsUnitsAndWhatCostsMoreThanAllOfItNeverPasses() {
        GateLedger gate = gate("a", "window 10/1m by-cost");
        assertThat(gate.tryTake(1, 7, NOW)).isTrue();
        assertThat(gate.opens(4, NOW)).isEqualTo(NOW + 60 * SECOND);
        assertThat(gate.tryTake(2, 3, NOW + SECOND)).isTrue();
        assertThat(gate.tryTake(3, 0, NOW + SECOND)).isTrue();
        assertThat(gate.opens(8, NOW + SECOND)).isEqualTo(NOW + 61 * SECOND);
        assertThat(gate.opens(11, NOW)).isEqualTo(GateLedger.NEVER);
        assertThat(gate.checkLimits(waiter("l", 1, 11), NOW)).isInstanceOf(Decision.NeverFits.class);
    }

    @Test
    void windowsOfDifferentLengthDoNotDisturbEachOther() {
        GateLedger gate = gate("a", "window 2/1s; window 3/10s");
        assertThat(gate.tryTake(1, 1, NOW)).isTrue();
        assertThat(gate.tryTake(2, 1, NOW)).isTrue();
        assertThat(gate.opens(1, NOW)).isEqualTo(NOW + SECOND);
        assertThat(gate.tryTake(3, 1, NOW + SECOND)).isTrue();
        assertThat(gate.opens(1, NOW + SECOND)).isEqualTo(NOW + 10 * SECOND);
    }

    @Test
    void aMillionADayStaysSmallAndIsNearlyAllUsed() {
        GateLedger gate = gate("a", "window 1000000/1d");
        long day = 86_400 * SECOND;
        long started = 0;
        for (long now = NOW; now < NOW + 3 * day; now += 40_000) {
            started += gate.tryTake(1, 1, now) ? 1 : 0;
        }
        assertThat(gate.state().memory().length()).isLessThan(4_000);
        assertThat(started).isBetween(2_970_000L, 3_000_000L);
    }

    @Test
    void aClockThatStepsBackForgetsNothing() {
        GateLedger gate = gate("a", "window 1/1s");
        gate.tryTake(1, 1, NOW);
        assertThat(gate.opens(1, NOW + SECOND)).isEqualTo(NOW + SECOND);
        assertThat(gate.opens(1, NOW - 5 * SECOND)).isEqualTo(NOW + SECOND);
        assertThat(gate.tryTake(2, 1, NOW - 5 * SECOND)).isFalse();
    }

    @Test
    void aChangedCountKeepsWhatWasSpentAndAChangedPeriodTakesItOver() {
        GateLedger gate = gate("a", "window 3/10s");
        gate.tryTake(1, 1, NOW);
        gate.tryTake(2, 1, NOW + SECOND);
        assertThat(reopened(gate, "window 2/10s").opens(1, NOW + SECOND)).isEqualTo(NOW + 10 * SECOND);
        assertThat(reopened(gate, "window 4/10s").opens(1, NOW + SECOND)).isEqualTo(NOW + SECOND);
        assertThat(reopened(gate, "window 2/20s").opens(1, NOW + SECOND)).isEqualTo(NOW + 20 * SECOND);
        assertThat(reopened(gate, "window 2/5s").opens(1, NOW + SECOND)).isEqualTo(NOW + 5 * SECOND);
        assertThat(reopened(reopened(gate, "concurrency 9"), "window 2/10s").opens(1, NOW + SECOND))
                .isEqualTo(NOW + 10 * SECOND);
    }

    @Test
    void nonsenseIsRefused() {
        Duration second = Duration.ofSeconds(1);
        assertThatIllegalArgumentException().isThrownBy(() -> window(0).per(second));
        assertThatIllegalArgumentException().isThrownBy(() -> window(-1).per(second));
        assertThatIllegalArgumentException().isThrownBy(() -> window(1).per(Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> window(1).per(second.negated()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.parse("window 1.5/1s"))
                .withMessageContaining("whole number");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.parse("windw 1/1s"))
                .withMessageContaining("did you mean 'window'");
    }

    @Test
    void aStartFromBeforeItWasCountedTakesNothingOffACrowdedWindow() {
        String window = "window 500/1s margin 100ms";
        GateLedger gate = gate("a", window);
        gate.take(1, 1, 100_000, NOW);
        gate.clear();
        for (long job = 2; job <= 151; job++) {
            gate.take(job, 1, 100_000, NOW + 1_000);
        }
        for (long job = 2; job <= 151; job++) {
            gate = reopened(gate, window);
            gate.release(job, 1, ReleaseKind.OK, new Start(NOW + 1_000, 100_000), NOW + 94_000 + job * 50);
        }
        gate.giveUp(1, 1, new Start(NOW, 100_000), NOW + 102_000);
        assertThat(gate.figures(NOW + 102_000).of(gate.policy().limits().getFirst()))
                .isEqualTo("150 of 500 in the last 1s");
    }
}
