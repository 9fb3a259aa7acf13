package dev.headgate.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.headgate.Headgate;
import dev.headgate.builtin.ShellAnswer;
import dev.headgate.builtin.ShellJob;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a shell job finds out about its worker from {@code /proc}. The worker is started by {@code ./headgate} itself. */
@EnabledOnOs(OS.LINUX)
class HiddenEnvironmentTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    /** In the name of the store, as a password would be. */
    private static final String STORE = "canary-of-the-store";

    private static final String VARIABLE = "canary-in-a-variable";

    /** Environment and arguments of the worker and of all processes above it. */
    private static final String LOOK = """
            process=$PPID
            while [ "$process" -gt 1 ]; do
              echo "== $process"
              tr '\\000' '\\n' <"/proc/$process/cmdline"
              tr '\\000' '\\n' <"/proc/$process/environ"
              process=$(sed -n 's/^PPid:[^0-9]*//p' "/proc/$process/status")
            done
            """;

    @TempDir
    Path folder;

    private Path checkout;

    /** The launcher beside a finished build, so that it builds nothing: one jar that names the classes of this test. */
    @BeforeEach
    void layOut() throws IOException {
        checkout = Files.createDirectories(folder.resolve("checkout"));
        Path bin = Files.createDirectories(checkout.resolve("bin"));
        for (String script : List.of("build.sh", "find-jdk", "hand-over")) {
            copy(Path.of("..", "bin", script), bin.resolve(script));
        }
        copy(Path.of("..", "headgate"), checkout.resolve("headgate"));
        Path jars = Files.createDirectories(checkout.resolve(".build").resolve("jars.1"));
        Files.writeString(checkout.resolve(".build").resolve("current"), "jars.1\n");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes()
                .put(
                        Attributes.Name.CLASS_PATH,
                        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                                .map(entry -> Path.of(entry).toUri().toString())
                                .collect(Collectors.joining(" ")));
        try (OutputStream jar = Files.newOutputStream(jars.resolve("all.jar"))) {
            new JarOutputStream(jar, manifest).close();
        }
        Files.createFile(jars.resolve("built-from"));
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.copy(from, to);
        assertThat(to.toFile().setExecutable(true)).isTrue();
    }

    private Path store() {
        return folder.resolve(STORE + ".db");
    }

    private String url() {
        return "jdbc:sqlite:" + store();
    }

    private WorkerProcess worker(Map<String, String> environment, String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(checkout.resolve("headgate").toString()));
        command.addAll(List.of(arguments));
        return new WorkerProcess(command, environment);
    }

    private static String stdout(Headgate headgate, ShellJob job) throws InterruptedException {
        JobId id = headgate.enqueue(ShellJob.TYPE, job).id();
        assertThat(headgate.await(id, PATIENCE))
                .hasValueSatisfying(end -> assertThat(end.state()).isEqualTo(JobState.SUCCEEDED));
        return headgate.result(id, ShellAnswer.class).orElseThrow().stdout();
    }

    private void assertNothingToBeSeen(String seen, int processes) {
        assertThat(seen.lines().filter(line -> line.startsWith("== ")).count())
                .as(seen)
                .isGreaterThanOrEqualTo(processes);
        assertThat(seen)
                .as("it is the worker that was looked at")
                .contains("dev.headgate.cli.Main")
                .contains("PATH=")
                .doesNotContain(STORE)
                .doesNotContain(VARIABLE);
    }

    @Test
    void noProcessAboveAShellJobHasTheStoreOrAVariableInItsEnvironment() throws Exception {
        Map<String, String> environment = Map.of("HEADGATE_STORE", url(), "API_TOKEN", VARIABLE);
        try (Headgate headgate = Headgate.open(url());
                WorkerProcess worker = worker(environment, "work", "--allow-shell", "--shell-env", "API_TOKEN")) {
            worker.awaitRemark("serves default");
            assertNothingToBeSeen(stdout(headgate, ShellJob.script(LOOK)), 2);
            assertThat(stdout(headgate, ShellJob.script("printf %s \"${#API_TOKEN} ${HEADGATE_STORE-none}\"")))
                    .as("what is passed on arrives, and nothing else")
                    .isEqualTo(VARIABLE.length() + " none");
            worker.terminate();
            assertThat(worker.exit()).isZero();
        }
    }

    @Test
    void norAmongItsArguments() throws Exception {
        try (Headgate headgate = Headgate.open(url());
                WorkerProcess worker = worker(
                        Map.of("HEADGATE_STORE", "jdbc:sqlite:nowhere/" + VARIABLE),
                        "--store",
                        url(),
                        "work",
                        "--allow-shell",
                        "--name",
                        "a  b '$PATH' *")) {
            worker.awaitRemark("serves default");
            String seen = stdout(headgate, ShellJob.script(LOOK));
            assertNothingToBeSeen(seen, 2);
            assertThat(seen).as("all other arguments stay as they are").contains("--name\na  b '$PATH' *\n");
        }
    }

    @Test
    void norASupervisorOrItsChildren() throws Exception {
        Map<String, String> environment = Map.of("API_TOKEN", VARIABLE);
        try (Headgate headgate = Headgate.open(url());
                WorkerProcess worker =
                        worker(environment, "work", "--store=" + url(), "--allow-shell", "--processes", "1")) {
            worker.awaitRemark("serves default");
            assertNothingToBeSeen(stdout(headgate, ShellJob.script(LOOK)), 3);
            worker.terminate();
            assertThat(worker.exit()).isZero();
        }
    }

    @Test
    void aWorkerThatWasStartedWithoutTheLauncherSaysThatItHidesNothing() throws Exception {
        try (WorkerProcess worker = new WorkerProcess(url(), "--allow-shell")) {
            worker.awaitRemark("shell jobs can read the environment and the arguments");
        }
    }

    @Test
    void anotherUserCanReadNeitherTheWorkersMemoryNorItsStore() throws Exception {
        assumeTrue(
                isRoot() && new File("/usr/bin/setpriv").exists(), "skipped: expected root, and setpriv of util-linux");
        Map<String, String> environment = Map.of("HEADGATE_STORE", url(), "API_TOKEN", VARIABLE);
        String[] arguments = {"work", "--allow-shell", "--shell-user", "nobody", "--shell-env", "API_TOKEN"};
        try (Headgate headgate = Headgate.open(url());
                WorkerProcess worker = worker(environment, arguments)) {
            worker.awaitRemark("serves default");
            String look = String.join(
                    "\n",
                    "whoami; echo \"$USER\"; printf '%s\\n' \"${#API_TOKEN}\"",
                    "for file in /proc/$PPID/environ /proc/$PPID/mem /proc/$PPID/fd/0 '%s'; do".formatted(store()),
                    "  if head -c 1 \"$file\" >/dev/null; then echo \"read $file\"; fi",
                    "done",
                    "grep -E '^(CapEff|NoNewPrivs|Groups)' /proc/self/status");
            assertThat(stdout(headgate, ShellJob.script(look)))
                    .startsWith("nobody\nnobody\n" + VARIABLE.length() + "\n")
                    .doesNotContain("read ")
                    .containsPattern("CapEff:\\s+0+\n")
                    .containsPattern("NoNewPrivs:\\s+1\n");
            assertThat(isGoneAfterItsTime(headgate)).as("the worker can end it").isTrue();
        }
    }

    private static boolean isGoneAfterItsTime(Headgate headgate) throws InterruptedException {
        ShellJob endless = new ShellJob(null, "echo $$; exec sleep 600", null, null, null, "1s", null, null);
        JobId id =
                headgate.enqueue(ShellJob.TYPE, endless, job -> job.attempts(1)).id();
        assertThat(headgate.await(id, PATIENCE))
                .hasValueSatisfying(end -> assertThat(end.state()).isEqualTo(JobState.FAILED));
        String process = headgate.log(id).getFirst().text().replace("out: ", "");
        return ProcessHandle.of(Long.parseLong(process)).isEmpty();
    }

    private static boolean isRoot() throws IOException {
        return Files.readString(Path.of("/proc/self/status")).matches("(?s).*\nUid:\\s+0\\s.*");
    }
}
