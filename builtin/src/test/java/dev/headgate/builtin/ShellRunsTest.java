package dev.headgate.builtin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.handler.RetryLater;
import dev.headgate.handler.RetryLater.When;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Real commands on this machine. */
@DisabledOnOs(OS.WINDOWS)
class ShellRunsTest {
    @TempDir
    Path folder;

    private final Bench<ShellJob> bench = new Bench<>(ShellJob.TYPE, new ShellRuns(List.of()));

    @AfterEach
    void close() {
        bench.close();
    }

    private ShellAnswer run(ShellJob job) throws InterruptedException {
        return bench.result(job, ShellAnswer.class);
    }

    @Test
    void aCommandGetsItsWordsAsTheyAre() throws Exception {
        ShellAnswer answer = run(ShellJob.of("printf", "%s|", "a b", "$HOME", "*", "☃"));
        assertThat(answer.stdout()).isEqualTo("a b|$HOME|*|☃|");
        assertThat(answer.exit()).isZero();
    }

    @Test
    void aScriptIsReadByAShell() throws Exception {
        ShellAnswer answer = run(ShellJob.script("echo out; echo err >&2; echo two | tr w W"));
        assertThat(answer.stdout()).isEqualTo("out\ntWo\n");
        assertThat(answer.stderr()).isEqualTo("err\n");
    }

    @Test
    void inputFolderAndVariablesReachIt() throws Exception {
        ShellJob job = new ShellJob(
                null,
                "cat; pwd -P; echo $GREETING $HEADGATE_ATTEMPT",
                Map.of("GREETING", "hello"),
                folder.toString(),
                "typed\n",
                null,
                null,
                null);
        assertThat(run(job).stdout()).isEqualTo("typed\n%s\nhello 1\n".formatted(folder.toRealPath()));
    }

    /** The test's own environment has variables of Maven and its plugins; none of them may show. */
    @Test
    void theWorkersOwnVariablesStayAtHome() throws Exception {
        List<String> names = run(ShellJob.of("env"))
                .stdout()
                .lines()
                .map(line -> line.replaceAll("=.*", ""))
                .filter(name -> !name.startsWith("HEADGATE_"))
                .toList();
        assertThat(ShellRuns.PASSED.containsAll(System.getenv().keySet()))
                .as("there is nothing to hide")
                .isFalse();
        assertThat(names).contains("PATH").isSubsetOf(ShellRuns.PASSED);
    }

    private static final Map<String, String> ENVIRONMENT =
            Map.of("PATH", System.getenv("PATH"), "KEY", "begin-of-key\nline-two-of-it", "LEFT_OUT", "left-at-home");

    private static Bench<ShellJob> passingTheKey() {
        return new Bench<>(ShellJob.TYPE, new ShellRuns(List.of("KEY", "NOT_SET"), ENVIRONMENT, null));
    }

    @Test
    void aVariableThatIsPassedOnArrivesAndNoOther() throws Exception {
        try (var passing = passingTheKey()) {
            ShellJob count = ShellJob.script("echo ${#KEY} ${LEFT_OUT-none} ${NOT_SET-none}");
            assertThat(passing.result(count, ShellAnswer.class).stdout()).isEqualTo("27 none none\n");
        }
    }

    @Test
    void itsValueIsHiddenInWhatIsStored() throws Exception {
        try (var passing = passingTheKey()) {
            JobId id = passing.start(ShellJob.script("env; printf %s \"$KEY\" | base64 >&2; echo ok"));
            assertThat(passing.end(id).state()).isEqualTo(JobState.SUCCEEDED);
            ShellAnswer answer = passing.result(id, ShellAnswer.class);
            assertThat(answer.stdout())
                    .contains("KEY=(hidden)\n")
                    .contains("ok\n")
                    .doesNotContain("line-two");
            assertThat(answer.stderr()).isEqualTo("(hidden)\n");
            assertThat(passing.log(id))
                    .contains("out: KEY=(hidden)", "out: ok")
                    .noneMatch(line -> line.contains("two"));
            assertThat(passing.failure(ShellJob.script("echo \"bad $KEY\" >&2; exit 3")))
                    .hasMessage("sh -c: expected exit code 0, got 3: (hidden)");
        }
    }

    @Test
    void aValueAtTheCutIsHiddenWhole() throws Exception {
        try (var passing = passingTheKey()) {
            int before = Output.KEPT_BYTES_MAX - 5;
            String script =
                    "head -c %d /dev/zero | tr '\\0' x; printf %%s \"$KEY\"; head -c 999 /dev/zero".formatted(before);
            ShellAnswer answer = passing.result(ShellJob.script(script), ShellAnswer.class);
            assertThat(answer.stdout()).isEqualTo("x".repeat(before) + "(hidden)");
            assertThat(answer.cut()).isTrue();
        }
    }

    @Test
    void linesAreLogged() throws Exception {
        JobId id = bench.start(ShellJob.script("echo one; echo two >&2; printf three"));
        assertThat(bench.end(id).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(bench.log(id)).containsExactlyInAnyOrder("out: one", "err: two", "out: three");
    }

    @Test
    void aFloodIsCutAndDoesNotStopTheCommand() throws Exception {
        ShellAnswer answer = run(ShellJob.script("head -c 3000000 /dev/zero | tr '\\0' x; echo done >&2"));
        assertThat(answer.cut()).isTrue();
        assertThat(answer.stdout()).hasSize(Output.KEPT_BYTES_MAX).matches("x+");
        assertThat(answer.stderr()).isEqualTo("done\n");
    }

    @Test
    void anInputThatNobodyReadsIsNoFault() throws Exception {
        ShellJob job = new ShellJob(List.of("true"), null, null, null, "x".repeat(200_000), null, null, null);
        assertThat(run(job).exit()).isZero();
    }

    @Test
    void anotherExitCodeFailsTheAttempt() throws Exception {
        assertThat(bench.failure(ShellJob.script("echo no luck >&2; exit 3")))
                .isExactlyInstanceOf(IOException.class)
                .hasMessage("sh -c: expected exit code 0, got 3: no luck");
    }

    @Test
    void theRetryCodeMeansLater() throws Exception {
        assertThat(bench.failure(ShellJob.script("exit 75")))
                .isInstanceOfSatisfying(
                        RetryLater.class,
                        later -> assertThat(later.when()).isEqualTo(new When.After(Duration.ofMinutes(1))));
    }

    @Test
    void aCommandThatIsNotThereSaysSo() throws Exception {
        assertThat(bench.failure(ShellJob.of("headgate-no-such-program", "hunter2")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("headgate-no-such-program")
                .hasMessageNotContaining("hunter2");
    }

    @Test
    void whatIsNotACommandIsRefused() {
        assertThatThrownBy(ShellJob::of).hasMessageContaining("expected a command or a script, got neither");
        assertThatThrownBy(() -> ShellJob.of(" ")).hasMessageContaining("expected the name of a program");
        assertThatThrownBy(() -> new ShellJob(List.of("a"), "b", null, null, null, null, null, null))
                .hasMessageContaining("got both");
        assertThatThrownBy(() -> new ShellJob(List.of("a"), null, Map.of("A=B", "x"), null, null, null, null, null))
                .hasMessageContaining("env: expected a name without '='");
    }

    /** A tree of three: the shell, a child, and an orphan whose parent has ended. */
    private ShellJob tree(String timeout, Path pids) {
        String script = "sleep 600 & echo $!; (sleep 601 & echo $!); echo $$; wait";
        return new ShellJob(null, "{ %s; } > %s".formatted(script, pids), null, null, null, timeout, null, null);
    }

    /** A pipe: reading it waits until the tree has written its process numbers. */
    private Path pipe() throws Exception {
        Path pipe = folder.resolve("pids");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        return pipe;
    }

    private static List<ProcessHandle> threeFrom(Path pipe) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(pipe)) {
            return List.of(reader.readLine(), reader.readLine(), reader.readLine()).stream()
                    .map(pid -> ProcessHandle.of(Long.parseLong(pid)).orElseThrow())
                    .toList();
        }
    }

    private static void assertGone(List<ProcessHandle> processes) throws Exception {
        for (ProcessHandle process : processes) {
            process.onExit().get(120, TimeUnit.SECONDS);
        }
    }

    @Test
    void cancellingEndsTheWholeTree() throws Exception {
        Path pipe = pipe();
        JobId id = bench.start(tree(null, pipe));
        List<ProcessHandle> tree = threeFrom(pipe);
        bench.cancel(id);
        assertThat(bench.end(id).state()).isEqualTo(JobState.CANCELLED);
        assertGone(tree);
    }

    @Test
    void runningTooLongEndsTheWholeTree() throws Exception {
        Path pipe = pipe();
        bench.start(tree("500ms", pipe));
        List<ProcessHandle> tree = threeFrom(pipe);
        assertThat(bench.thrown())
                .isInstanceOf(TimeoutException.class)
                .hasMessage("sh -c: expected it to end within 500ms, it did not");
        assertGone(tree);
    }

    @Test
    void stoppingTheWorkerEndsTheWholeTree() throws Exception {
        Path pipe = pipe();
        List<ProcessHandle> tree;
        try (var stopping = new Bench<>(ShellJob.TYPE, new ShellRuns(List.of()), Duration.ZERO)) {
            stopping.start(tree(null, pipe));
            tree = threeFrom(pipe);
        }
        assertGone(tree);
    }

    @Test
    void whoIgnoresTheAskingIsKilled() throws Exception {
        Path pipe = pipe();
        String script = "trap '' TERM; echo $$ > %s; while :; do sleep 600; done".formatted(pipe);
        JobId id = bench.start(ShellJob.script(script));
        ProcessHandle stubborn;
        try (BufferedReader reader = Files.newBufferedReader(pipe)) {
            stubborn = ProcessHandle.of(Long.parseLong(reader.readLine())).orElseThrow();
        }
        bench.cancel(id);
        assertThat(bench.end(id).state()).isEqualTo(JobState.CANCELLED);
        assertGone(List.of(stubborn));
    }

    /** A job is over when its command is: what it left behind would hold its pipes, and the slot with them. */
    @Test
    void whatACommandLeavesBehindIsEnded() throws Exception {
        ShellAnswer answer = run(ShellJob.script("sleep 600 & echo $!"));
        ProcessHandle.of(Long.parseLong(answer.stdout().strip()))
                .ifPresent(left -> assertThat(left.onExit()).succeedsWithin(Duration.ofSeconds(30)));
    }
}
