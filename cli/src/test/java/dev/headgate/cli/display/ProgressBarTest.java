package dev.headgate.cli.display;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.cli.CommandContext;
import dev.headgate.cli.Signals;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private long now;

    private ProgressBar gauge(Map<String, String> environment) {
        CommandContext shell = new CommandContext(
                new PrintWriter(out), new PrintWriter(err), InputStream.nullInputStream(), environment, Signals.NONE);
        return new ProgressBar(shell, "stored", "job", 100_000, () -> now);
    }

    private void pass(int millis) {
        now += Duration.ofMillis(millis).toNanos();
    }

    @Test
    void aPipeGetsALineEveryFewSeconds() {
        try (ProgressBar gauge = gauge(Map.of())) {
            pass(400);
            gauge.show(10_000);
            pass(600);
            gauge.show(22_000);
            pass(4_900);
            gauge.show(30_000);
            pass(100);
            gauge.show(65_000);
            gauge.done();
        }
        assertThat(err.toString().lines())
                .containsExactly(
                        "stored 22,000 of 100,000 jobs", "stored 65,000 of 100,000 jobs, 9,821 a second, 3.5 s left");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void whatPrepareTookCountsForNoTimeLeft() {
        try (ProgressBar gauge = gauge(Map.of())) {
            pass(3_000);
            gauge.show(8);
            pass(5_000);
            gauge.show(10_008);
        }
        assertThat(err.toString().lines())
                .containsExactly(
                        "stored 8 of 100,000 jobs", "stored 10,008 of 100,000 jobs, 2,000 a second, 44.9 s left");
    }

    @Test
    void aTerminalGetsABar() {
        try (ProgressBar gauge = gauge(Map.of("HEADGATE_COLUMNS", "90", "TERM", "xterm", "NO_COLOR", "1"))) {
            gauge.show(0);
            pass(1_000);
            gauge.show(50_000);
            gauge.done();
        }
        assertThat(err.toString())
                .contains(
                        "█".repeat(15) + "░".repeat(15) + "  stored 50,000 of 100,000 jobs, 50,000 a second, 1 s left")
                .contains("█".repeat(30) + "  stored 100,000 of 100,000 jobs");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void whatIsDoneAtOnceNeedsNone() {
        try (ProgressBar gauge = gauge(Map.of("HEADGATE_COLUMNS", "90", "TERM", "xterm"))) {
            pass(300);
            gauge.show(50_000);
            gauge.done();
        }
        assertThat(out.toString()).isEmpty();
    }
}
