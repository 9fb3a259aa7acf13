package dev.headgate.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.headgate.JsonJob;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobType;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Margin;
import dev.headgate.server.token.Right;
import dev.headgate.server.token.TokenRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The clients of this project as real processes, judged by their own logs. Skipped where there is no python3, or no node. */
class ClientProcessTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir
    Path folder;

    private final List<Process> processes = new ArrayList<>();
    private ServerRig rig;
    private String token;

    /** A client, and the program that runs it. */
    enum Client {
        PYTHON("python3", "python", "py"),
        NODE("node", "typescript", "mjs");

        private final String program;
        private final Path folder;
        private final String suffix;

        Client(String program, String folder, String suffix) {
            this.program = program;
            this.folder = Path.of("../clients", folder);
            this.suffix = suffix;
        }

        boolean isHere() {
            try {
                Process version = new ProcessBuilder(program, "--version")
                        .redirectErrorStream(true)
                        .start();
                String said = new String(version.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                return version.waitFor() == 0 && !said.matches("(?s)v1?[0-9]\\..*");
            } catch (IOException | InterruptedException none) {
                return false;
            }
        }

        String script(String name) {
            return folder.resolve(name + "." + suffix).toString();
        }
    }

    @BeforeEach
    void start() {
        rig = new ServerRig(folder);
        token = rig.token(TokenRequest.named("client")
                .right(Right.WORK)
                .right(Right.ENQUEUE)
                .right(Right.READ));
    }

    @AfterEach
    void stop() {
        processes.forEach(Process::destroyForcibly);
        rig.close();
    }

    private Process run(Client client, String script, Object... arguments) throws IOException {
        assumeTrue(client.isHere(), client.program + " is needed");
        List<String> command = new ArrayList<>(List.of(client.program, client.script(script), rig.server.url(), token));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("client.out").toFile()))
                .start();
        processes.add(process);
        return process;
    }

    private List<JobId> enqueue(int jobs) {
        return rig
                .headgate
                .enqueueAllJson(IntStream.range(0, jobs)
                        .mapToObj(i -> new JsonJob(
                                "call",
                                "{\"n\":%d}".formatted(i),
                                job -> job.queue("calls").gate("seats")))
                        .toList())
                .stream()
                .map(each -> each.id())
                .toList();
    }

    /** A line of a worker's log. */
    private record Noted(boolean isBegin, long process, long job, double at) {
        static Noted parse(String line) {
            String[] words = line.split(" ", -1);
            return new Noted(
                    words[0].equals("begin"),
                    Long.parseLong(words[1]),
                    Long.parseLong(words[2]),
                    Double.parseDouble(words[4]));
        }
    }

    private List<Noted> log() throws IOException {
        return Files.readAllLines(folder.resolve("calls.log")).stream()
                .map(Noted::parse)
                .toList();
    }

    private long waiting() {
        return rig.headgate.overview().jobs().stream()
                .filter(count -> count.queue().equals("calls") && count.state() != JobState.SUCCEEDED)
                .mapToLong(count -> count.jobs())
                .sum();
    }

    /** How many handlers were at work at once; those of a process that was killed end with it. */
    private static int peak(List<Noted> log, Map<Long, Double> killed) {
        List<double[]> steps = new ArrayList<>();
        Map<String, Noted> open = new HashMap<>();
        for (Noted each : log) {
            String key = each.process() + " " + each.job();
            if (each.isBegin()) {
                open.put(key, each);
                steps.add(new double[] {each.at(), 1});
            } else {
                open.remove(key);
                steps.add(new double[] {each.at(), -1});
            }
        }
        open.values().forEach(each -> steps.add(new double[] {killed.get(each.process()), -1}));
        steps.sort((one, other) ->
                one[0] != other[0] ? Double.compare(one[0], other[0]) : Double.compare(one[1], other[1]));
        int now = 0;
        int peak = 0;
        for (double[] step : steps) {
            now += (int) step[1];
            peak = Math.max(peak, now);
        }
        return peak;
    }

    @ParameterizedTest
    @EnumSource
    void theExampleCallsAProviderWithoutARefusal(Client client) throws Exception {
        // The margin of half a second is for a machine that builds other things meanwhile.
        rig.headgate
                .policies()
                .gate(
                        "provider",
                        gate -> gate.limit(Limit.concurrency(5))
                                .limit(Limit.window(20)
                                        .per(Duration.ofSeconds(1))
                                        .margin(Margin.of(Duration.ofMillis(500)))));
        Process example = run(client, "example", 40);
        assertThat(example.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(folder.resolve("client.out"))).contains("40 calls accepted, 0 refused");
        assertThat(example.exitValue()).isZero();
        assertThat(rig.headgate.list(JobFilter.all()))
                .hasSize(40)
                .allSatisfy(job -> assertThat(job.report().result()).matches("\\{\"status\": ?200}"));
    }

    @ParameterizedTest
    @EnumSource
    void killedWorkersLoseNothingAndTheGateHoldsBesideAJavaWorker(Client client) throws Exception {
        int seats = 4;
        rig.headgate.policies().gate("seats", gate -> gate.limit(Limit.concurrency(seats)));
        Set<Long> inJava = ConcurrentHashMap.newKeySet();
        JobType<Object> call = JobType.of("call", Object.class);
        rig.headgate.handle(call, (payload, job) -> inJava.add(job.id().value()));
        List<JobId> ids = enqueue(300);
        Path log = folder.resolve("calls.log");
        Map<Long, Double> killed = new HashMap<>();
        Process worker = run(client, "tests/worker_process", log, 6, 20);
        int kills = 4;
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (waiting() > 0) {
            assertThat(System.nanoTime()).as("jobs left: %d", waiting()).isLessThan(end);
            if (killed.size() < kills && Files.exists(log) && log().size() > 30 * (killed.size() + 1)) {
                long pid = worker.pid();
                worker.destroyForcibly().waitFor();
                killed.put(pid, System.currentTimeMillis() / 1000.0);
                if (killed.size() == kills / 2) {
                    rig.restart();
                }
                worker = run(client, "tests/worker_process", log, 6, 20);
            }
            if (killed.size() == kills
                    && rig.headgate.overview().workers().stream()
                            .noneMatch(each -> each.queues().contains("calls")
                                    && each.name().equals("java"))) {
                rig.headgate.worker("calls").name("java").slots(2).start();
            }
        }
        worker.destroyForcibly().waitFor();
        assertThat(killed).hasSize(kills);
        assertThat(ids)
                .allSatisfy(id -> assertThat(rig.headgate.status(id).state()).isEqualTo(JobState.SUCCEEDED));
        Set<Long> seen = ConcurrentHashMap.newKeySet();
        seen.addAll(inJava);
        log().forEach(each -> seen.add(each.job()));
        assertThat(seen).hasSize(ids.size());
        assertThat(inJava).as("both kinds of workers worked").isNotEmpty();
        killed.put(worker.pid(), System.currentTimeMillis() / 1000.0);
        assertThat(peak(log(), killed)).as("of %d seats", seats).isBetween(2, seats);
    }

    @ParameterizedTest
    @EnumSource
    void aWorkerGoesOnWhereItWasWhenTheServerComesBack(Client client) throws Exception {
        List<JobId> ids = enqueue(120);
        run(client, "tests/worker_process", folder.resolve("calls.log"), 4, 30);
        for (int restarts = 1; restarts <= 2; restarts++) {
            long left = 120 - 40L * restarts;
            await(() -> waiting() <= left);
            rig.restart();
        }
        await(() -> waiting() == 0);
        assertThat(ids)
                .allSatisfy(id ->
                        assertThat(rig.headgate.status(id).leases().attempt()).isEqualTo(1));
        assertThat(log().stream().filter(Noted::isBegin).map(Noted::job)).doesNotHaveDuplicates();
    }

    private static void await(BooleanSupplier isThere) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!isThere.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.onSpinWait();
        }
    }
}
