package dev.headgate.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.pool.Restarts.Next;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RestartsTest {
    private static final Duration SHORT = Duration.ofSeconds(1);
    private static final Duration LONG = Duration.ofMinutes(5);

    private final Restarts restarts = new Restarts();

    private Next ended(Duration lived) {
        return restarts.ended(lived, "with exit code 1");
    }

    @Test
    void itWaitsLongerEachTimeAndThenGivesUp() {
        List<Duration> waits = new ArrayList<>();
        Next next = ended(SHORT);
        while (next instanceof Next.Again(Duration after)) {
            waits.add(after);
            next = ended(SHORT);
        }
        assertThat(waits).extracting(Duration::toMillis).containsExactly(200L, 400L, 800L, 1600L, 3200L);
        assertThat(next)
                .isEqualTo(
                        new Next.GiveUp("it ended 6 times in a row within 10s of its start, at last with exit code 1"));
    }

    @Test
    void oneGoodStartForgivesAll() {
        for (int round = 0; round < 20; round++) {
            for (int quick = 1; quick < Restarts.QUICK_MAX; quick++) {
                assertThat(ended(SHORT)).isInstanceOf(Next.Again.class);
            }
            assertThat(ended(LONG)).isEqualTo(new Next.Again(Duration.ofMillis(200)));
        }
    }

    @Test
    void crashesAfterALongTimeAreNeverTooMany() {
        for (int crash = 0; crash < 1000; crash++) {
            assertThat(ended(Restarts.QUICK)).isEqualTo(new Next.Again(Duration.ofMillis(200)));
        }
    }
}
