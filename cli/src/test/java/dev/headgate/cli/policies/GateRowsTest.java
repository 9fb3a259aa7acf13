package dev.headgate.cli.policies;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.status.Overview.GateView;
import dev.headgate.status.Overview.Lag;
import dev.headgate.status.Overview.Line;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What was measured at a gate, in words and for machines. */
class GateRowsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static final Lag LAG = new Lag(
            12,
            Duration.ofNanos(500_000),
            Duration.ofMillis(32),
            Duration.ofMillis(64),
            Duration.ofMillis(128),
            NOW.minusSeconds(180),
            Duration.ofMillis(256),
            Duration.ofMillis(50),
            Duration.ofMillis(256),
            Duration.ofMillis(30));

    private final GateRows shape = new GateRows(Map.of(), NOW);

    private static GateView gate(String name, Lag lag) {
        return new GateView(
                GateKey.gate(name),
                "window 20/1s margin 50ms",
                null,
                0,
                0,
                List.of(),
                List.of(),
                List.of(),
                Line.NONE,
                null,
                null,
                lag);
    }

    @Test
    void lagsLateStartsAndTheLastRejectionAreTold() {
        assertThat(shape.lagLines(gate("api", LAG)))
                .containsExactly(
                        "grant to handler: half within 500us, 99 % within 32ms",
                        "grant to the end of the handler: half within 64ms, 99 % within 128ms",
                        "late starts, given back and not run: 12",
                        "margin of the latest starts: 30ms, cut by another gate or the queue of their jobs",
                        "rejected at a full limit 3 m ago: a start took up to 256ms until its handler had ended, with a"
                                + " margin of 50ms; margin 256ms would have avoided it");
        assertThat(shape.json(gate("api", LAG)).toString())
                .contains("\"toHandlerP50Ms\":1,\"toHandlerP99Ms\":32,\"toEndP50Ms\":64,\"toEndP99Ms\":128")
                .contains("\"lateStarts\":12,\"cutMarginMs\":30,\"rejectedAt\":\"2025-12-31T23:57:00Z\"")
                .contains("\"rejectedLagMs\":256,\"rejectedMarginMs\":50,\"advisedMarginMs\":256")
                .contains("\"marginMs\":50,\"untilEnd\":false,\"costPercent\":4.76");
    }

    private String advice(String policy, @Nullable Long margin, long took) {
        Duration lag = Duration.ofMillis(took);
        Duration had = margin == null ? null : Duration.ofMillis(margin);
        boolean isCovered = had == null || had.compareTo(lag) >= 0;
        return MarginAdvice.of(
                GatePolicy.parse(policy),
                new Lag(0, null, null, null, null, NOW, lag, had, isCovered ? null : lag, null));
    }

    @Test
    void aRejectionNamesALongerMarginOrSaysThatLagWasNotTheCause() {
        assertThat(advice("window 20/1s margin 400ms", 400L, 256))
                .startsWith(", not because of lag: every start ended within 256ms, and its margin was 400ms.");
        assertThat(advice("window 20/1s margin end", null, 3_000))
                .startsWith(", not because of lag: every start counts until its handler has ended.");
        assertThat(advice("window 20/1s", 100L, 2_000))
                .as("longer than its period")
                .endsWith("with a margin of 100ms; margin end would have avoided it");
        assertThat(advice("spaced 20/1s", 0L, 40)).endsWith("with no margin; margin 40ms would have avoided it");
        assertThat(advice("window 20/1s margin 400ms; spaced 20/1s", 0L, 256))
                .endsWith("; margin 256ms of spaced 20/1s would have avoided it");
        assertThat(advice("window 20/1s margin 400ms", 100L, 256))
                .endsWith("with a margin of 100ms; margin 256ms would have avoided it, and it is 400ms now");
    }

    @Test
    void onlyGatesWithLateStartsAreListed() {
        assertThat(GateRows.lateLine(List.of(gate("a", Lag.NONE)))).isEmpty();
        assertThat(GateRows.lateLine(List.of(gate("a", Lag.NONE), gate("b", LAG), gate("c", LAG))))
                .contains("late starts, given back and not run: gate b 12, gate c 12");
    }
}
