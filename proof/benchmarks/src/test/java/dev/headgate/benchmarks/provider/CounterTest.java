package dev.headgate.benchmarks.provider;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The judge counts exactly as it says: what it allows too little or too much would be a figure about the engine. */
class CounterTest {
    private static final long MILLI = 1_000;
    private static final long SECOND = 1_000_000;
    private static final long NOON = 1_700_000_000 * SECOND;

    private static Counter counter(Allowance.Kind kind, String figures) {
        return Counter.of(Allowance.of(kind, figures));
    }

    private static int accepted(Counter counter, long at, int calls) {
        int accepted = 0;
        for (int i = 0; i < calls; i++) {
            accepted += counter.allows(at) ? 1 : 0;
        }
        return accepted;
    }

    @Test
    void aSlidingWindowCountsTheLastPeriodToTheMicrosecond() {
        Counter counter = counter(Allowance.Kind.SLIDING, "20/1s");
        assertThat(accepted(counter, NOON, 5)).isEqualTo(5);
        assertThat(accepted(counter, NOON + 900 * MILLI, 30)).isEqualTo(15);
        assertThat(accepted(counter, NOON + SECOND - 1, 1)).isZero();
        assertThat(accepted(counter, NOON + SECOND, 30))
                .as("five are a period ago")
                .isEqualTo(5);
        assertThat(accepted(counter, NOON + 1_900 * MILLI, 30)).isEqualTo(15);
    }

    @Test
    void aFixedWindowBeginsWithTheClock() {
        Counter counter = counter(Allowance.Kind.FIXED, "20/1s");
        assertThat(accepted(counter, NOON + 999 * MILLI, 30)).isEqualTo(20);
        assertThat(accepted(counter, NOON + SECOND, 30))
                .as("twice as many in a moment")
                .isEqualTo(20);
        assertThat(accepted(counter, NOON + 2 * SECOND - 1, 30)).isZero();
    }

    @Test
    void aBucketIsFullAtFirstAndFillsSteadily() {
        Counter counter = counter(Allowance.Kind.BUCKET, "20/1s");
        assertThat(accepted(counter, NOON, 30)).isEqualTo(20);
        assertThat(accepted(counter, NOON + 50 * MILLI - 1, 30)).isZero();
        assertThat(accepted(counter, NOON + 50 * MILLI, 30)).isEqualTo(1);
        assertThat(accepted(counter, NOON + 10 * SECOND, 30))
                .as("no fuller than full")
                .isEqualTo(20);
    }

    @Test
    void aPeriodThatDoesNotDivideLosesNothing() {
        Counter counter = counter(Allowance.Kind.BUCKET, "7/1s");
        int accepted = accepted(counter, NOON, 7);
        for (long at = NOON; at < NOON + 10 * SECOND; at += 333) {
            accepted += accepted(counter, at, 1);
        }
        assertThat(accepted).isEqualTo(7 + 69);
        assertThat(accepted(counter, NOON + 10 * SECOND, 2))
                .as("the seventieth, to the microsecond")
                .isEqualTo(1);
    }
}
