package dev.headgate.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.headgate.JsonJob;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobType;
import dev.headgate.limit.Limit;
import dev.headgate.server.token.Right;
import dev.headgate.server.token.TokenRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Python client as a real process, judged by its own log. Skipped where there is no python3. */
class PythonWorkerTest {
    private static final Path CLIENT = Path.of("../clients/python");
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir
    Path folder;

    private final List<Process> processes = new ArrayList<>();
    private ServerRig rig;
    private String token;

    @BeforeEach
    void start() {
        assumeTrue(hasPython(), "python3 is needed");
        rig = new ServerRig(folder);
        token = rig.token(TokenRequest.named("python")
                .right(Right.WORK)
                .right(Right.ENQUEUE)
                .right(Right.READ));
    }

    @AfterEach
    void stop() {
        processes.forEach(Process::destroyForcibly);
        if (rig != null) {
            rig.close();
        }
    }

    private static boolean hasPython() {
        try {
            return new ProcessBuilder("python3", "--version")
                            .redirectErrorStream(true)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException | InterruptedException none) {
            return false;
        }
    }

    private Process python(String script, Object... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of("python3", CLIENT.resolve(script).toString()));
        command.add(rig.server.url());
        command.add(token);
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("python.out").toFile()))
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

    @Test
    void theExampleGreets() throws Exception {
        Process example = python("example.py");
        assertThat(example.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readAllLines(folder.resolve("python.out"))).containsExactly("succeeded", "succeeded");
        assertThat(rig.headgate.list(JobFilter.all()))
                .extracting(job -> job.report().result())
                .containsExactlyInAnyOrder("\"hello Ada\"", "\"hello Grace\"");
    }

    @Test
    void killedWorkersLoseNothingAndTheGateHoldsBesideAJavaWorker() throws Exception {
        int seats = 4;
        rig.headgate.policies().gate("seats", gate -> gate.limit(Limit.concurrency(seats)));
        Set<Long> inJava = ConcurrentHashMap.newKeySet();
        JobType<Object> call = JobType.of("call", Object.class);
        rig.headgate.handle(call, (payload, job) -> inJava.add(job.id().value()));
        List<JobId> ids = enqueue(400);
        Path log = folder.resolve("calls.log");
        Map<Long, Double> killed = new HashMap<>();
        Random random = new Random(7);
        Process worker = python("tests/worker_process.py", log, 6, 20);
        int kills = 6;
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (waiting() > 0) {
            assertThat(System.nanoTime()).as("jobs left: %d", waiting()).isLessThan(end);
            boolean isKill = killed.size() < kills && Files.exists(log) && log().size() > 20 * (killed.size() + 1);
            if (isKill && random.nextInt(3) == 0) {
                long pid = worker.pid();
                worker.destroyForcibly().waitFor();
                killed.put(pid, System.currentTimeMillis() / 1000.0);
                worker = python("tests/worker_process.py", log, 6, 20);
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
}
