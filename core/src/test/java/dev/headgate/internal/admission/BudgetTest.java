package dev.headgate.internal.admission;

import static dev.headgate.internal.admission.Gates.inUse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.explain.Decision;
import dev.headgate.internal.admission.InUse.KeptFree;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Limit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BudgetTest {
    @ParameterizedTest
    @CsvSource({
        "5, 0, 5, yes", // equality is allowed
        "5, 4, 1, yes",
        "5, 4, 2, wait",
        "5, 5, 1, wait",
        "5, 5, 0, yes", // a job without cost always fits
        "5, 9, 0, yes", // also after the budget was lowered
        "5, 0, 6, never",
        "5, 5, 6, never",
        "1, 0, 1, yes"
    })
    void admitsWhatFits(long budget, long used, long cost, String answer) {
        Meter meter = Meter.of(Limit.budget(budget));
        long opens = meter.opens(7, cost, inUse(1, used), KeptFree.NOTHING);
        switch (answer) {
            case "yes" -> assertThat(opens).isEqualTo(7);
            case "never" -> {
                assertThat(opens).isEqualTo(Meter.NEVER);
                assertThat(new Decision.NeverFits(GateKey.gate("a"), meter.limit(), cost, meter.most()).reason())
                        .isEqualTo("costs %d units, the budget is %d".formatted(cost, budget));
            }
            default -> {
                assertThat(opens).isEqualTo(Meter.UNTIL_RELEASE);
                assertThat(meter.figures(7, cost, inUse(1, used)))
                        .isEqualTo("%d of %d units in use, %d asked".formatted(used, budget, cost));
            }
        }
    }

    @Test
    void whatIsSetAsideIsLeft() {
        Meter budget = Meter.of(Limit.budget(9));
        assertThat(budget.opens(7, 3, inUse(1, 2), new KeptFree(1, 4))).isEqualTo(7);
        assertThat(budget.opens(7, 3, inUse(1, 3), new KeptFree(1, 4))).isEqualTo(Meter.UNTIL_RELEASE);
    }

    @Test
    void lessThanOneUnitIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Limit.budget(0)).withMessageContaining("got 0");
    }
}
