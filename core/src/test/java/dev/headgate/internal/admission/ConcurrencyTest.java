package dev.headgate.internal.admission;

import static dev.headgate.internal.admission.Gates.inUse;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.internal.admission.InUse.KeptFree;
import dev.headgate.limit.Limit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConcurrencyTest {
    @ParameterizedTest
    @CsvSource({"1, 0, true", "1, 1, false", "3, 2, true", "3, 3, false", "3, 9, false", "1000000, 999999, true"})
    void admitsUntilTheMaximumIsInUse(long max, long leases, boolean admits) {
        Meter meter = Meter.of(Limit.concurrency(max));
        assertThat(meter.opens(5, 1, inUse(leases, 77), KeptFree.NOTHING)).isEqualTo(admits ? 5 : Meter.UNTIL_RELEASE);
        assertThat(meter.figures(5, 1, inUse(leases, 77))).isEqualTo("%d of %d in use".formatted(leases, max));
    }

    @Test
    void costDoesNotCount() {
        Meter meter = Meter.of(Limit.concurrency(1));
        assertThat(meter.opens(5, 0, inUse(0, 0), KeptFree.NOTHING)).isEqualTo(5);
        assertThat(meter.opens(5, Long.MAX_VALUE, inUse(0, 0), KeptFree.NOTHING))
                .isEqualTo(5);
        assertThat(meter.opens(5, 0, inUse(1, 0), KeptFree.NOTHING)).isEqualTo(Meter.UNTIL_RELEASE);
    }

    @Test
    void whatIsSetAsideIsLeft() {
        Meter meter = Meter.of(Limit.concurrency(3));
        assertThat(meter.opens(5, 1, inUse(1, 1), new KeptFree(1, 5))).isEqualTo(5);
        assertThat(meter.opens(5, 1, inUse(2, 2), new KeptFree(1, 5))).isEqualTo(Meter.UNTIL_RELEASE);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void lessThanOneIsRefused(long max) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Limit.concurrency(max))
                .withMessageContaining("at least 1, got " + max);
    }
}
