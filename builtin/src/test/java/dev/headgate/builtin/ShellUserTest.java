package dev.headgate.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.headgate.handler.PermanentFailure;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker that is root runs commands as another user. */
class ShellUserTest {
    private Bench<ShellJob> bench;

    /** Its owner alone may use it. */
    @TempDir
    Path folder;

    @BeforeEach
    void open() throws Exception {
        assumeTrue(
                isRoot() && new File("/usr/bin/setpriv").exists(), "skipped: expected root, and setpriv of util-linux");
        bench = new Bench<>(ShellJob.TYPE, new ShellRuns(List.of(), System.getenv(), ShellUser.named("nobody")));
    }

    private static boolean isRoot() throws IOException {
        Path status = Path.of("/proc/self/status");
        return Files.exists(status) && Files.readString(status).matches("(?s).*\nUid:\\s+0\\s.*");
    }

    @AfterEach
    void close() {
        if (bench != null) {
            bench.close();
        }
    }

    private static ShellJob script(String script, Map<String, String> variables) {
        return new ShellJob(null, script, variables, null, null, null, null, null);
    }

    private String stdout(ShellJob job) throws InterruptedException {
        return bench.result(job, ShellAnswer.class).stdout();
    }

    /** The loader of programs writes to a file that a variable names, and would load a library that another one names. */
    @Test
    void whatAJobSetsIsNotReadBeforeTheUserIsAnother() throws Exception {
        Map<String, String> variables = Map.of(
                "LD_DEBUG",
                "statistics",
                "LD_DEBUG_OUTPUT",
                folder.resolve("written-by-root").toString());
        assertThat(stdout(script("whoami", variables))).contains("nobody\n");
        try (var files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void whatAJobSetsArrives() throws Exception {
        String odd = "a  b'c\"$PATH`id`\n*";
        String script = "printf '%s|' \"$ODD\" \"$EMPTY\" \"$HEADGATE_JOB\" \"$(env | grep -c HEADGATE_GIVEN)\"";
        assertThat(stdout(script(script, Map.of("ODD", odd, "EMPTY", "", "HEADGATE_JOB", "mine"))))
                .isEqualTo(odd + "||mine|0|");
    }

    @Test
    void aNameThatNoShellKnowsIsRefused() throws Exception {
        assertThat(bench.failure(script("env", Map.of("X; id", "1"))))
                .isInstanceOf(PermanentFailure.class)
                .hasMessageContaining("env: expected names of letters, digits and _");
    }

    /** With the terminal of the worker it could type commands into the shell that started the worker. */
    @Test
    void aCommandHasASessionOfItsOwn() throws Exception {
        String[] words =
                stdout(ShellJob.script("echo $$; cut -d' ' -f6 /proc/$$/stat")).split("\n", -1);
        assertThat(words[1]).as("its session").isEqualTo(words[0]);
    }

    @Test
    void rootAndUnknownUsersAreRefused() {
        for (String name : List.of("root", "nobody-knows-it", "-x", "")) {
            assertThatThrownBy(() -> ShellUser.named(name))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("user");
        }
    }
}
