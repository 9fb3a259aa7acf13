package dev.headgate.internal.admission;

import static dev.headgate.internal.admission.Gates.SECOND;
import static dev.headgate.internal.admission.Gates.gate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.explain.Decision;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Rate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettleTest {
    private static final long NOW = 1_767_225_600L * SECOND;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rate 10/10s burst 10 by-cost",
                "window 10/10s by-cost",
                "spaced 10/10s by-cost",
                "quota 10/hour UTC by-cost",
                "budget 10"
            })
    void aSettlementToTheSameFigureOrOfALimitOfJobsChangesNothing(String limit) {
        GateLedger gate = gate("a", limit);
        gate.tryTake(1, 8, NOW);
        GateState before = gate.state();
        gate.settle(8, 8, NOW, NOW + SECOND);
        assertThat(gate.state()).isEqualTo(before);
        GateLedger jobs = gate("a", limit.replace(" by-cost", "").replace("budget", "concurrency"));
        jobs.tryTake(1, 8, NOW);
        long opens = jobs.opens(1, NOW);
        jobs.settle(8, 1, NOW, NOW);
        assertThat(jobs.opens(1, NOW)).isEqualTo(opens);
    }

    @Test
    void aRefundOpensTheGateSoonerAndADebtLater() {
        GateLedger rate = gate("a", "rate 10/10s burst 10 by-cost");
        rate.tryTake(1, 10, NOW);
        rate.settle(10, 4, NOW, NOW);
        assertThat(rate.figures(NOW).tokens((Rate) rate.policy().limits().getFirst()))
                .isEqualTo(6);
        rate.settle(4, 24, NOW, NOW);
        assertThat(rate.opens(1, NOW)).isEqualTo(NOW + 15 * SECOND);
        GateLedger window = gate("a", "window 10/10s by-cost");
        window.tryTake(1, 10, NOW);
        window.settle(10, 4, NOW, NOW + SECOND);
        assertThat(window.opens(6, NOW + SECOND)).isEqualTo(NOW + SECOND);
        assertThat(window.opens(7, NOW + SECOND)).isEqualTo(NOW + 10 * SECOND);
        window.settle(4, 9, NOW, NOW + 2 * SECOND);
        assertThat(window.opens(6, NOW + 2 * SECOND)).isEqualTo(NOW + 12 * SECOND);
        GateLedger spaced = gate("a", "spaced 10/10s by-cost");
        spaced.tryTake(1, 10, NOW);
        spaced.settle(10, 4, NOW, NOW);
        assertThat(spaced.opens(1, NOW)).isEqualTo(NOW + 4 * SECOND);
        spaced.settle(4, 5, NOW, NOW + 9 * SECOND);
        assertThat(spaced.opens(1, NOW + 9 * SECOND)).isEqualTo(NOW + 10 * SECOND);
    }

    @Test
    void aRefundGivesNoMoreThanWasChargedAndNeverToOthers() {
        GateLedger rate = gate("a", "rate 10/10s burst 10 by-cost");
        rate.tryTake(1, 5, NOW);
        rate.settle(5, 0, NOW, NOW + 60 * SECOND);
        assertThat(rate.figures(NOW + 60 * SECOND)
                        .tokens((Rate) rate.policy().limits().getFirst()))
                .isEqualTo(10);
        GateLedger window = gate("a", "window 10/10s by-cost");
        window.tryTake(1, 6, NOW);
        window.tryTake(2, 4, NOW + 9 * SECOND);
        // The first has left the window: there is nothing to give back, least of all what the second took.
        window.settle(6, 0, NOW, NOW + 11 * SECOND);
        assertThat(window.opens(7, NOW + 11 * SECOND)).isEqualTo(NOW + 19 * SECOND);
        // Started before the limit was set, so it was never charged here.
        window.settle(6, 0, NOW + 5 * SECOND, NOW + 11 * SECOND);
        assertThat(window.opens(7, NOW + 11 * SECOND)).isEqualTo(NOW + 19 * SECOND);
        GateLedger quota = gate("a", "quota 10/hour UTC by-cost margin none");
        quota.tryTake(1, 10, NOW);
        quota.tryTake(2, 10, NOW + 3_600 * SECOND);
        quota.settle(10, 0, NOW, NOW + 3_600 * SECOND);
        assertThat(quota.opens(1, NOW + 3_600 * SECOND)).isEqualTo(NOW + 7_200 * SECOND);
    }

    @Test
    void theBudgetHoldsTheActualUnitsUntilTheyAreReleased() {
        GateLedger gate = gate("a", "budget 10");
        gate.tryTake(1, 4, NOW);
        gate.settle(4, 9, NOW, NOW);
        assertThat(gate.opens(2, NOW)).isEqualTo(GateLedger.UNTIL_RELEASE);
        gate.release(1, 9, ReleaseKind.OK);
        assertThat(gate.state().units()).isZero();
        assertThat(gate.opens(10, NOW)).isEqualTo(NOW);
    }

    @Test
    void absurdFiguresAreRefusedOrCut() {
        GateLedger gate =
                gate("a", "rate 1/1s by-cost; window 9/1s by-cost; spaced 1/1s by-cost; quota 9/day UTC by-cost");
        assertThatIllegalArgumentException().isThrownBy(() -> gate.settle(1, -1, NOW, NOW));
        gate.tryTake(1, 1, NOW);
        for (int i = 0; i < 1_000; i++) {
            gate.settle(1, Limit.COUNT_MAX, NOW, NOW + i);
        }
        assertThat(gate.opens(1, NOW + 1_000)).isGreaterThan(NOW + 86_400 * SECOND);
        assertThat(gate.checkLimits(Gates.waiter("l", 1), NOW)).isInstanceOf(Decision.Blocked.class);
        GateState state = gate.state();
        assertThat(GateLedger.restore(gate.key(), gate.policy(), new GateState.Stored(1, 1, state.memory()), NOW)
                        .isTouched())
                .isFalse();
    }
}
