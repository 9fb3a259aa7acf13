package dev.headgate.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Enqueued;
import dev.headgate.Headgate;
import dev.headgate.cli.RecordingMain;
import dev.headgate.cli.RecordingMain.Recorded;
import dev.headgate.job.Attempt;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.status.QueueCount;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real worker processes that die or are told to stop: nothing is lost, no limit breaks. */
interface ProcessContract {
    int JOBS = 240;
    int AT_ONCE = 6;
    int TENANT_AT_ONCE = 2;
    int RATE = 100;
    int BURST = 10;
    Duration PATIENCE = Duration.ofSeconds(90);

    /** The URL of an empty store. */
    String freshStore() throws Exception;

    @Test
    default void aWorkerKilledUnderLoadLosesNothing(@TempDir Path folder) throws Exception {
        String url = freshStore();
        HandlerHistory history = new HandlerHistory(Files.createFile(folder.resolve("history.csv")));
        try (Headgate headgate = Headgate.open(url);
                WorkerProcess first = worker(url, "--slots", "4");
                WorkerProcess second = worker(url, "--slots", "4");
                WorkerProcess third = worker(url, "--slots", "4")) {
            headgate.policies()
                    .gate(
                            "api",
                            gate -> gate.limits("concurrency %d; rate %d/1s burst %d".formatted(AT_ONCE, RATE, BURST)))
                    .gate("tenant:*", gate -> gate.limits("concurrency " + TENANT_AT_ONCE));
            List<WorkerProcess> workers = List.of(first, second, third);
            for (WorkerProcess worker : workers) {
                worker.awaitRemark("serves default");
            }
            JobId endless = headgate.enqueue(RecordingMain.RECORD, new Recorded(history.file(), 600_000))
                    .id();
            Map<Long, String> tenants = new HashMap<>();
            List<JobId> jobs = enqueue(headgate, history, tenants);

            assertThat(headgate.await(jobs.get(JOBS / 4), PATIENCE)).isPresent();
            WorkerProcess victim = holder(headgate, endless, workers);
            victim.kill();
            history.killed(victim.pid());
            jobs.add(endless);
            for (JobId job : jobs) {
                assertThat(headgate.await(job, PATIENCE))
                        .hasValueSatisfying(end -> assertThat(end.state()).isEqualTo(JobState.SUCCEEDED));
            }

            assertThat(history.ends()).hasSize(JOBS + 1);
            assertThat(history.cutOff(victim.pid())).contains(endless.value());
            assertThat(history.peaks(job -> tenants.containsKey(job) ? "api" : "free")
                            .get("api"))
                    .isLessThanOrEqualTo(AT_ONCE);
            assertThat(history.peaks(job -> tenants.getOrDefault(job, "free")))
                    .hasSize(5)
                    .allSatisfy((tenant, peak) -> assertThat(peak).isLessThanOrEqualTo(TENANT_AT_ONCE));
            for (long job : history.cutOff(victim.pid())) {
                assertThat(headgate.find(JobId.of(job)).orElseThrow().leases().epoch())
                        .as("job %d ran again".formatted(job))
                        .isGreaterThan(1);
            }
            for (var ends : history.ends().entrySet()) {
                int lost = headgate.find(JobId.of(ends.getKey()))
                        .orElseThrow()
                        .leases()
                        .lost();
                assertThat(ends.getValue())
                        .as("ends of job %d".formatted(ends.getKey()))
                        .isLessThanOrEqualTo(1 + lost);
            }
            jobs.remove(endless);
            assertBucketHeld(starts(headgate, jobs));
            assertQuiet(headgate, 2);
        }
    }

    @Test
    default void aWorkerToldToStopFinishesWhatRunsAndLeavesTheRest(@TempDir Path folder) throws Exception {
        String url = freshStore();
        HandlerHistory history = new HandlerHistory(Files.createFile(folder.resolve("history.csv")));
        try (Headgate headgate = Headgate.open(url);
                WorkerProcess worker = worker(url, "--slots", "3")) {
            worker.awaitRemark("serves default");
            List<Recorded> payloads = Collections.nCopies(60, new Recorded(history.file(), 150));
            List<JobId> jobs = headgate.enqueueAll(RecordingMain.RECORD, payloads).stream()
                    .map(Enqueued::id)
                    .toList();
            assertThat(headgate.await(jobs.get(4), PATIENCE)).isPresent();
            worker.terminate();

            assertThat(worker.exit()).isZero();
            assertThat(history.ends()).as("all that began has ended, once").hasSize((int) history.starts());
            assertThat(count(headgate, JobState.SUCCEEDED))
                    .isEqualTo(history.starts())
                    .isLessThan(60);
            assertThat(count(headgate, JobState.QUEUED)).isEqualTo(60 - history.starts());
            assertThat(headgate.find(jobs.getLast()).orElseThrow().leases().attempt())
                    .isZero();
            assertQuiet(headgate, 0);
        }
    }

    @Test
    default void aWorkerWithoutTimeToFinishHandsBackWhatRuns(@TempDir Path folder) throws Exception {
        String url = freshStore();
        HandlerHistory history = new HandlerHistory(Files.createFile(folder.resolve("history.csv")));
        try (Headgate headgate = Headgate.open(url);
                WorkerProcess worker = worker(url, "--slots", "3", "--drain", "0s")) {
            worker.awaitRemark("serves default");
            JobId brief = headgate.enqueue(RecordingMain.RECORD, new Recorded(history.file(), 1))
                    .id();
            assertThat(headgate.await(brief, PATIENCE)).isPresent();
            List<JobId> jobs = headgate
                    .enqueueAll(RecordingMain.RECORD, Collections.nCopies(20, new Recorded(history.file(), 600_000)))
                    .stream()
                    .map(Enqueued::id)
                    .toList();
            worker.terminate();

            assertThat(worker.exit()).isZero();
            assertThat(count(headgate, JobState.RUNNING)).as("no lease is left").isZero();
            assertThat(count(headgate, JobState.QUEUED)).isEqualTo(20);
            for (JobId job : jobs) {
                assertThat(headgate.find(job).orElseThrow().leases().attempt())
                        .as("what was handed back has used up no attempt")
                        .isZero();
            }
            assertQuiet(headgate, 0);
        }
    }

    @Test
    default void aSecondSignalHandsBackWhatRuns(@TempDir Path folder) throws Exception {
        String url = freshStore();
        HandlerHistory history = new HandlerHistory(Files.createFile(folder.resolve("history.csv")));
        try (Headgate headgate = Headgate.open(url);
                WorkerProcess worker = worker(url, "--slots", "2")) {
            worker.awaitRemark("serves default");
            JobId longRunning = headgate.enqueue(RecordingMain.RECORD, new Recorded(history.file(), 600_000))
                    .id();
            JobId brief = headgate.enqueue(RecordingMain.RECORD, new Recorded(history.file(), 1))
                    .id();
            assertThat(headgate.await(brief, PATIENCE)).isPresent();
            worker.terminate();
            worker.awaitRemark("stopping: 1 job running");
            worker.terminate();
            worker.awaitRemark("1 running job interrupted and handed back; again to end at once");
            assertThat(worker.exit()).isZero();
            assertThat(headgate.find(longRunning).orElseThrow().state()).isEqualTo(JobState.QUEUED);
            assertThat(headgate.find(longRunning).orElseThrow().leases().attempt())
                    .isZero();
            assertQuiet(headgate, 0);
        }
    }

    @Test
    default void aThirdSignalEndsAWorkerAtOnce(@TempDir Path folder) throws Exception {
        String url = freshStore();
        HandlerHistory history = new HandlerHistory(Files.createFile(folder.resolve("history.csv")));
        try (Headgate headgate = Headgate.open(url);
                WorkerProcess worker = worker(url, "--slots", "2")) {
            worker.awaitRemark("serves default");
            JobId longRunning = headgate.enqueue(
                            RecordingMain.RECORD, new Recorded(history.file(), RecordingMain.STUBBORN_MS))
                    .id();
            JobId brief = headgate.enqueue(RecordingMain.RECORD, new Recorded(history.file(), 1))
                    .id();
            assertThat(headgate.await(brief, PATIENCE)).isPresent();
            worker.terminate();
            worker.awaitRemark("stopping: 1 job running");
            worker.terminate();
            worker.awaitRemark("1 running job interrupted and handed back");
            worker.terminate();
            assertThat(worker.exit()).isEqualTo(143);
            assertThat(headgate.find(longRunning).orElseThrow().state()).isEqualTo(JobState.RUNNING);

            try (WorkerProcess heir = worker(url, "--slots", "2")) {
                heir.awaitRemark("serves default");
                headgate.cancel(longRunning);
                JobStatus end = headgate.await(longRunning, PATIENCE).orElseThrow();
                assertThat(end.state()).isEqualTo(JobState.CANCELLED);
            }
        }
    }

    /** None of them polls within that time: a wake-up must have reached one. */
    @Test
    default void theFirstJobOfANewQueueWakesAnotherProcess(@TempDir Path folder) throws Exception {
        String url = freshStore();
        HandlerHistory history = new HandlerHistory(Files.createFile(folder.resolve("history.csv")));
        try (Headgate headgate = Headgate.open(url);
                WorkerProcess all = worker(url, "--queues", "*");
                WorkerProcess sites = worker(url, "--queues", "site:*,mail")) {
            all.awaitRemark("serves *");
            sites.awaitRemark("serves site:*, mail");
            for (int i = 0; i < 20; i++) {
                String queue = (i % 2 == 0 ? "site:" : "other:") + i;
                List<String> gates = i % 4 < 2 ? List.of() : List.of("gate" + i);
                JobId job = headgate.enqueue(
                                RecordingMain.RECORD,
                                new Recorded(history.file(), 1),
                                options -> options.queue(queue).gates(gates))
                        .id();
                assertThat(headgate.await(job, Duration.ofSeconds(15)))
                        .as("job of queue " + queue)
                        .isPresent();
            }
            assertThat(headgate.overview().workers())
                    .allSatisfy(worker -> assertThat(worker.serves("site:20")).isTrue());
            all.terminate();
            assertThat(all.exit()).isZero();
            JobId unserved = headgate.enqueue(
                            RecordingMain.RECORD, new Recorded(history.file(), 1), options -> options.queue("other:99"))
                    .id();
            assertThat(headgate.explain(unserved).summary()).contains("no worker");
            sites.terminate();
            assertThat(sites.exit()).isZero();
        }
    }

    private static WorkerProcess worker(String url, String... options) throws Exception {
        List<String> all = new ArrayList<>(List.of("--lease", "2s"));
        all.addAll(List.of(options));
        return new WorkerProcess(url, all.toArray(String[]::new));
    }

    private static WorkerProcess holder(Headgate headgate, JobId job, List<WorkerProcess> workers) {
        String id = headgate.find(job).orElseThrow().leases().worker();
        String name = headgate.overview().workers().stream()
                .filter(worker -> worker.id().equals(id))
                .findFirst()
                .orElseThrow()
                .name();
        return workers.stream()
                .filter(worker -> name.contains("-%d-".formatted(worker.pid())))
                .findFirst()
                .orElseThrow();
    }

    private static List<JobId> enqueue(Headgate headgate, HandlerHistory history, Map<Long, String> tenants) {
        List<Recorded> payloads = IntStream.range(0, JOBS)
                .mapToObj(i -> new Recorded(history.file(), 20 + i * 7 % 40))
                .toList();
        int[] next = {0};
        List<JobId> jobs = new ArrayList<>();
        headgate.enqueueAll(
                        RecordingMain.RECORD,
                        payloads,
                        (payload, job) -> job.gate("api").gate("tenant:" + next[0]++ % 4))
                .forEach(enqueued -> jobs.add(enqueued.id()));
        for (int i = 0; i < JOBS; i++) {
            tenants.put(jobs.get(i).value(), "tenant:" + i % 4);
        }
        return jobs;
    }

    /** Every grant of a lease in store time: that of the last attempt, and those of attempts that were lost. */
    private static List<Instant> starts(Headgate headgate, List<JobId> jobs) {
        List<Instant> starts = new ArrayList<>();
        for (JobId job : jobs) {
            starts.add(headgate.find(job).orElseThrow().times().startedAt());
            headgate.attempts(job).stream().map(Attempt::startedAt).forEach(starts::add);
        }
        Collections.sort(starts);
        return starts;
    }

    /** In any interval of length t at most burst + rate x t starts. */
    private static void assertBucketHeld(List<Instant> starts) {
        for (int first = 0; first < starts.size(); first++) {
            for (int last = first; last < starts.size(); last++) {
                long micros =
                        Duration.between(starts.get(first), starts.get(last)).toNanos() / 1_000;
                assertThat((long) last - first + 1)
                        .as("starts in %d microseconds".formatted(micros))
                        .isLessThanOrEqualTo(BURST + RATE * micros / 1_000_000);
            }
        }
    }

    private static long count(Headgate headgate, JobState state) {
        return headgate.overview().jobs().stream()
                .filter(count -> count.state() == state)
                .mapToLong(QueueCount::jobs)
                .sum();
    }

    private static void assertQuiet(Headgate headgate, int workers) {
        assertThat(count(headgate, JobState.RUNNING)).isZero();
        assertThat(headgate.overview().gates())
                .allSatisfy(gate -> assertThat(gate.leases()).isZero());
        assertThat(headgate.overview().workers()).hasSize(workers);
        assertThat(headgate.recount()).isEmpty();
    }
}
