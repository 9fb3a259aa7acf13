package dev.headgate.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryPolicyTest {
    @ParameterizedTest
    @CsvSource({
        "fixed 5s, 1, PT5S",
        "fixed 5s, 900, PT5S",
        "fixed 0s, 3, PT0S",
        "linear 10s, 1, PT10S",
        "linear 10s, 3, PT30S",
        "linear 10s max 25s, 3, PT25S",
        "exponential 1s, 1, PT1S",
        "exponential 1s, 4, PT8S",
        "exponential 2s x3, 3, PT18S",
        "exponential 1s x2 max 10m, 10, PT8M32S",
        "exponential 1s x2 max 10m, 11, PT10M",
        "exponential 1s x1, 50, PT1S",
        "exponential 0s x2, 50, PT0S",
    })
    void theWaitGrowsAsSaid(String policy, int attempt, Duration expected) {
        assertThat(RetryPolicy.parse(policy).delay(attempt, 12345)).contains(expected);
    }

    @Test
    void noneMeansNoOtherAttempt() {
        assertThat(RetryPolicy.none().delay(1, 0)).isEmpty();
    }

    @Test
    void noNumberOfAttemptsOverflows() {
        Duration year = Duration.ofDays(366);
        for (RetryPolicy policy : new RetryPolicy[] {
            RetryPolicy.exponential(year, 100).max(year),
            RetryPolicy.linear(year).max(year),
            RetryPolicy.exponential(Duration.ofNanos(1_000), 100).max(year).jitter(100),
        }) {
            for (int attempt : new int[] {Integer.MIN_VALUE, 0, 1, 63, 64, 65, 1_000, Integer.MAX_VALUE}) {
                for (long random : new long[] {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE}) {
                    assertThat(policy.delay(attempt, random).orElseThrow()).isBetween(Duration.ZERO, year);
                }
            }
        }
    }

    @Test
    void jitterOnlyShortensAndByItsShareAtMost() {
        RetryPolicy policy = RetryPolicy.fixed(Duration.ofSeconds(10)).jitter(20);
        Random random = new Random(7);
        Duration shortest = Duration.ofDays(1);
        Duration longest = Duration.ZERO;
        for (int i = 0; i < 10_000; i++) {
            Duration delay = policy.delay(1, random.nextLong()).orElseThrow();
            shortest = delay.compareTo(shortest) < 0 ? delay : shortest;
            longest = delay.compareTo(longest) > 0 ? delay : longest;
        }
        assertThat(shortest).isBetween(Duration.ofSeconds(8), Duration.ofMillis(8_010));
        assertThat(longest).isBetween(Duration.ofMillis(9_990), Duration.ofSeconds(10));
    }

    @Test
    void aPolicyIsReadBackAsWritten() {
        for (RetryPolicy policy : new RetryPolicy[] {
            RetryPolicy.none(),
            RetryPolicy.fixed(Duration.ofMillis(1_500)),
            RetryPolicy.linear(Duration.ofSeconds(1)).max(Duration.ofMinutes(90)),
            RetryPolicy.exponential(Duration.ofSeconds(1), 7).jitter(100),
            RetryPolicy.DEFAULT,
        }) {
            assertThat(RetryPolicy.parse(policy.text())).isEqualTo(policy);
        }
        assertThat(RetryPolicy.DEFAULT.text()).isEqualTo("exponential 1s x2 max 10m jitter 20%");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "sometimes",
                "fixed",
                "fixed soon",
                "fixed 5s x2",
                "linear 1s max",
                "exponential 1s xx",
                "exponential 1s x0",
                "exponential 1s jitter 101%",
                "exponential 1s jitter much",
                "fixed 400d",
                "none 5s"
            })
    void anUnreadableTextIsRefusedWithAReason(String text) {
        assertThatThrownBy(() -> RetryPolicy.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected");
    }
}
