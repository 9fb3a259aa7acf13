package dev.headgate.cli.display;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StillWorkingTest {
    private final StringWriter err = new StringWriter();

    private StillWorking working(Map<String, String> environment) {
        return new StillWorking(new PrintWriter(err), Terminal.ofErrors(environment), "headgate prune", 0);
    }

    private static long after(double seconds) {
        return Duration.ofMillis((long) (seconds * 1_000)).toNanos();
    }

    @Test
    void aPipeGetsALineWhenItTakesSeconds() {
        try (StillWorking working = working(Map.of())) {
            working.tick(after(4.9));
            assertThat(err.toString()).isEmpty();
            working.tick(after(5));
            working.doing("queued again 12,000 jobs");
            working.tick(after(10.2));
        }
        assertThat(err.toString().lines()).containsExactly("… headgate prune, 5 s", "… queued again 12,000 jobs, 10 s");
    }

    @Test
    void aTerminalGetsALineThatIsWipedBeforeTheAnswer() {
        StillWorking working =
                working(Map.of("HEADGATE_COLUMNS", "0", "HEADGATE_ERROR_COLUMNS", "80", "TERM", "xterm"));
        working.tick(after(0.9));
        assertThat(err.toString()).isEmpty();
        working.wipe();
        assertThat(err.toString()).as("nothing to wipe").isEmpty();
        working.tick(after(1));
        working.close();
        working.tick(after(9));
        assertThat(err.toString()).isEqualTo("\r\u001b[K… headgate prune, 1 s\r\u001b[K");
    }

    @Test
    void standardErrorThatIsAFileGetsNoEscapes() {
        try (StillWorking working =
                working(Map.of("HEADGATE_COLUMNS", "80", "HEADGATE_ERROR_COLUMNS", "0", "TERM", "xterm"))) {
            working.tick(after(6));
        }
        assertThat(err.toString()).isEqualTo("… headgate prune, 6 s\n");
    }
}
