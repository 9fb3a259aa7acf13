package dev.headgate.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.headgate.Headgate;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Pause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code headgate top} in a terminal, with keys pressed; and what it leaves of the terminal, however it is left. */
@EnabledOnOs(OS.LINUX)
class TopTerminalTest {
    private static final String SCREEN_BEFORE = "\u001b[?25h\u001b[?1049l";
    private static final String OTHER_SCREEN = "\u001b[?1049h\u001b[?25l";

    @TempDir
    Path folder;

    private String url;

    @BeforeEach
    void fill() {
        url = "jdbc:sqlite:" + folder.resolve("jobs.db");
        try (Headgate headgate = Headgate.open(url)) {
            headgate.policies().gate("api", gate -> gate.limit(Limit.concurrency(2)));
            headgate.enqueueJson("noop", "{}", job -> job.queue("mail").gate("api"));
            headgate.enqueueJson("noop", "{}", job -> job.queue("mail").gate("api"));
            headgate.enqueueJson("noop", "{}", job -> job.queue("video"));
        }
    }

    private Pty top(Map<String, String> environment, String... options) throws IOException {
        String[] arguments = new String[options.length + 4];
        System.arraycopy(new String[] {"top", "--store", url, "--every"}, 0, arguments, 0, 4);
        System.arraycopy(options, 0, arguments, 4, options.length);
        return new Pty(folder, environment, arguments);
    }

    private static void isRestored(Pty pty, int exit) throws Exception {
        pty.await(SCREEN_BEFORE);
        pty.await("exit=" + exit);
        pty.await("\n");
        assertThat(pty.file("after")).isEqualTo(pty.file("before"));
        assertThat(pty.file("complaints")).isEmpty();
        assertThat(pty.all().split(Pattern.quote(SCREEN_BEFORE), -1)).hasSize(2);
    }

    @Test
    void everyKeyDoesWhatTheHelpSays() throws Exception {
        try (Pty pty = top(Map.of(), "100ms")) {
            pty.await(OTHER_SCREEN);
            pty.await("QUEUED");
            assertThat(pty.await("h help"))
                    .contains("mail")
                    .contains("gate api")
                    .contains("no workers")
                    .contains("noop");
            pty.type("h");
            pty.await("pause the selected queue or gate");
            pty.type("x");
            pty.await("QUEUED");
            pty.type("/vid\n");
            pty.await("filter: vid\u001b");
            assertThat(pty.await("h help")).doesNotContain("mail");
            pty.type("\u001b");
            assertThat(pty.await("h help")).isNotEmpty();
            pty.await("mail");
            pty.type("p");
            pty.await("pause queue mail? (y or n)");
            pty.type("n");
            pty.await("nothing was changed");
            pty.type("p");
            pty.await("? (y or n)");
            pty.type("y");
            pty.await("paused by ");
            pty.type("ss");
            pty.await("SCHEDULED▾");
            pty.type("r");
            pty.await("SCHEDULED▴");
            pty.type("e3");
            pty.await("explain job: 3");
            pty.type("\n");
            pty.await("job 3: waiting: no worker serves queue video");
            pty.type(" ");
            pty.await("QUEUED");
            pty.type("\t\t\t\u001b[B\n");
            pty.await("job 2: ");
            pty.type("qq");
            isRestored(pty, 0);
        }
        try (Headgate headgate = Headgate.openToRead(url)) {
            assertThat(headgate.controls().paused())
                    .extracting(each -> each.what())
                    .containsExactly(Pause.queue("mail"));
        }
    }

    @Test
    void theWindowMayGetAnotherSize() throws Exception {
        try (Pty pty = top(Map.of(), "1h")) {
            pty.await("GATE");
            pty.await("h help");
            Process stty = new ProcessBuilder("stty", "-F", pty.file("device"), "rows", "12", "cols", "60").start();
            assertThat(stty.waitFor(30, TimeUnit.SECONDS)).isTrue();
            String drawn = pty.await("\u001b[J") + pty.await("\u001b[J");
            assertThat(drawn.substring(drawn.lastIndexOf("\u001b[H")).split("\r\n", -1))
                    .hasSize(12);
            assertThat(drawn.substring(drawn.lastIndexOf("\u001b[H")))
                    .contains("QUEUE")
                    .doesNotContain("GATE");
            pty.type("q");
            isRestored(pty, 0);
        }
    }

    @Test
    void controlCLeavesTheTerminalAsItWas() throws Exception {
        try (Pty pty = top(Map.of("NO_COLOR", "1"), "100ms")) {
            pty.await("h help");
            pty.type("\u0003");
            isRestored(pty, 130);
            assertThat(pty.all()).as("no colour").doesNotContain("\u001b[36m").doesNotContain("\u001b[2m");
        }
    }

    @Test
    void killLeavesTheTerminalAsItWas() throws Exception {
        isRestoredAfter("TERM", 143);
    }

    @Test
    void aTerminalThatIsGoneLeavesItAsItWas() throws Exception {
        assumeFalse(ignoresHangup(), "the tests run under nohup, and so does what they start");
        isRestoredAfter("HUP", 129);
    }

    private void isRestoredAfter(String signal, int exit) throws Exception {
        try (Pty pty = top(Map.of(), "100ms")) {
            pty.await("h help");
            new ProcessBuilder("kill", "-" + signal, pty.file("pid")).start().waitFor();
            isRestored(pty, exit);
        }
    }

    private static boolean ignoresHangup() throws IOException {
        Path status = Path.of("/proc/self/status");
        return Files.exists(status)
                && Files.readAllLines(status).stream()
                        .filter(line -> line.startsWith("SigIgn:"))
                        .anyMatch(line ->
                                (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 1) == 1);
    }
}
