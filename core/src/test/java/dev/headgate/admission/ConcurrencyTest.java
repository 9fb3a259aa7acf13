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
import org.junit.jupiter.params.provider.ValueSource;

class ConcurrencyTest {
    @ParameterizedTest
    @CsvSource({"1, 0, true", "1, 1, false", "3, 2, true", "3, 3, false", "3, 9, false", "1000000, 999999, true"})
    void admitsUntilTheMaximumIsInUse(long max, long leases, boolean admits) {
        Verdict verdict = Limit.concurrency(max).verdict(inUse(leases, 77), 5, cost(1));
        if (admits) {
            assertThat(verdict).isEqualTo(Verdict.YES);
        } else {
            assertThat(verdict).isEqualTo(new Verdict.UntilRelease("%d of %d in use".formatted(leases, max)));
        }
    }

    @Test
    void costDoesNotCount() {
        assertThat(Limit.concurrency(1).verdict(inUse(0, 0), 0, cost(0))).isEqualTo(Verdict.YES);
        assertThat(Limit.concurrency(1).verdict(inUse(0, 0), 0, cost(Long.MAX_VALUE)))
                .isEqualTo(Verdict.YES);
        assertThat(Limit.concurrency(1).verdict(inUse(1, 0), 0, cost(0))).isInstanceOf(Verdict.UntilRelease.class);
    }

    @Test
    void whatIsSetAsideIsLeft() {
        Ask ask = new Ask(1, new Aside(1, 5));
        assertThat(Limit.concurrency(3).verdict(inUse(1, 1), 0, ask)).isEqualTo(Verdict.YES);
        assertThat(Limit.concurrency(3).verdict(inUse(2, 2), 0, ask)).isInstanceOf(Verdict.UntilRelease.class);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void lessThanOneIsRefused(long max) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.concurrency(max))
                .withMessageContaining("at least 1, got " + max);
    }
}
