package dev.headgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.admission.GateKey;
import dev.headgate.transition.Overview.GateView;
import dev.headgate.transition.Overview.Lag;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What was measured at a gate, in words and for machines. */
class GateShapeTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private static final Lag LAG = new Lag(
            12,
            Duration.ofNanos(500_000),
            Duration.ofMillis(32),
            Duration.ofMillis(64),
            Duration.ofMillis(128),
            NOW.minusSeconds(180),
            Duration.ofMillis(256));

    private final GateShape shape = new GateShape(Map.of(), NOW);

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
                0,
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
                        "rejected at a full limit 3 m ago; margin 256ms would have avoided it");
        assertThat(shape.json(gate("api", LAG)).toString())
                .contains("\"toHandlerP50Ms\":1,\"toHandlerP99Ms\":32,\"toEndP50Ms\":64,\"toEndP99Ms\":128")
                .contains("\"lateStarts\":12,\"rejectedAt\":\"2025-12-31T23:57:00Z\",\"advisedMarginMs\":256")
                .contains("\"marginMs\":50,\"untilEnd\":false,\"costPercent\":4.76");
    }

    @Test
    void onlyGatesWithLateStartsAreListed() {
        assertThat(GateShape.lateLine(List.of(gate("a", Lag.NONE)))).isEmpty();
        assertThat(GateShape.lateLine(List.of(gate("a", Lag.NONE), gate("b", LAG), gate("c", LAG))))
                .contains("late starts, given back and not run: gate b 12, gate c 12");
    }
}
