package dev.headgate.admission;

import static dev.headgate.admission.Gates.cost;
import static dev.headgate.admission.Gates.inUse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.admission.Limit.Aside;
import dev.headgate.admission.Limit.Ask;
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
        Verdict verdict = Limit.budget(budget).verdict(inUse(1, used), 0, cost(cost));
        switch (answer) {
            case "yes" -> assertThat(verdict).isEqualTo(Verdict.YES);
            case "never" ->
                assertThat(verdict)
                        .isEqualTo(new Verdict.Never("costs %d units, the budget is %d".formatted(cost, budget)));
            default ->
                assertThat(verdict)
                        .isEqualTo(new Verdict.UntilRelease(
                                "%d of %d units in use, %d asked".formatted(used, budget, cost)));
        }
    }

    @Test
    void whatIsSetAsideIsLeft() {
        assertThat(Limit.budget(9).verdict(inUse(1, 2), 0, new Ask(3, new Aside(1, 4))))
                .isEqualTo(Verdict.YES);
        assertThat(Limit.budget(9).verdict(inUse(1, 3), 0, new Ask(3, new Aside(1, 4))))
                .isInstanceOf(Verdict.UntilRelease.class);
    }

    @Test
    void lessThanOneUnitIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Limit.budget(0)).withMessageContaining("got 0");
    }
}
