package dev.headgate.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.cli.RecordingMain;
import dev.headgate.cli.RecordingMain.Recorded;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code headgate work --processes}, with real processes that crash, are killed and are told to stop. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SupervisorTest {
    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @TempDir
    Path folder;

    private String url() {
        return "jdbc:sqlite:" + folder.resolve("jobs.db");
    }

    private WorkerProcess supervisor(Map<String, String> environment, String... options) throws Exception {
        List<String> all = new ArrayList<>(List.of("--name", "team", "--lease", "2s", "--drain", "1s"));
        all.addAll(List.of(options));
        return new WorkerProcess(environment, url(), all.toArray(String[]::new));
    }

    private static void assertEnds(List<ProcessHandle> processes) throws Exception {
        for (ProcessHandle process : processes) {
            process.onExit().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Test
    void aCrashedProcessIsStartedAgainAndAStopStopsAll() throws Exception {
        try (Headgate headgate = Headgate.open(url());
                WorkerProcess team = supervisor(Map.of(), "--processes", "2")) {
            team.awaitRemark("serves default");
            team.awaitRemark("serves default");
            List<ProcessHandle> first = team.children();
            assertThat(first).hasSize(2);
            first.getFirst().destroyForcibly();
            team.awaitRemark("ended with exit code 137; it is started again in 200 ms");
            team.awaitRemark("serves default");
            assertThat(team.children()).hasSize(2).isNotEqualTo(first);
            JobId job = headgate.enqueue(
                            RecordingMain.RECORD,
                            new Recorded(Files.createTempFile(folder, "h", "").toString(), 1))
                    .id();
            assertThat(headgate.await(job, PATIENCE))
                    .hasValueSatisfying(end -> assertThat(end.state()).isEqualTo(JobState.SUCCEEDED));
            List<ProcessHandle> children = team.children();
            team.terminate();
            team.awaitRemark("stopping 2 processes");
            assertThat(team.exit()).isZero();
            assertEnds(children);
            assertThat(headgate.overview().workers())
                    .as("all but the crashed one said goodbye")
                    .hasSizeLessThanOrEqualTo(1);
        }
    }

    @Test
    void oneThatNeverGetsToItsFeetIsGivenUp() throws Exception {
        try (WorkerProcess team = supervisor(Map.of(RecordingMain.CRASHING, "7"), "--processes", "1..3")) {
            team.awaitRemark("ended with exit code 7; it is started again in 200 ms");
            team.awaitRemark("it is started again in 400 ms");
            team.awaitRemark(
                    "gave up on process team.1: it ended 6 times in a row within 10s of its start, at last with exit code 7");
            assertThat(team.exit()).isEqualTo(1);
        }
    }

    @Test
    void wrongUsageIsNotTriedAgain() throws Exception {
        try (WorkerProcess team = supervisor(Map.of(), "--processes", "2", "--slots", "0")) {
            team.awaitRemark("slots: expected 1 to 100000, got 0");
            assertThat(team.exit()).isEqualTo(2);
        }
    }

    @Test
    void childrenLeaveWhenTheirSupervisorIsKilled() throws Exception {
        HandlerHistory history = new HandlerHistory(Files.createFile(folder.resolve("history.csv")));
        try (Headgate headgate = Headgate.open(url());
                WorkerProcess team = supervisor(Map.of(), "--processes", "2")) {
            team.awaitRemark("serves default");
            team.awaitRemark("serves default");
            List<ProcessHandle> children = team.children();
            JobId job = headgate.enqueue(RecordingMain.RECORD, new Recorded(history.file(), 600_000))
                    .id();
            while (history.starts() == 0) {
                Thread.onSpinWait();
            }
            team.kill();
            assertEnds(children);
            assertThat(headgate.find(job).orElseThrow().state())
                    .as("handed back after the drain")
                    .isEqualTo(JobState.QUEUED);
            assertThat(headgate.overview().workers()).isEmpty();
        }
    }

    @Test
    void itStartsMoreProcessesWhileThereIsMoreToDoAndFewerAfterwards() throws Exception {
        try (Headgate headgate = Headgate.open(url())) {
            growAndShrink(headgate);
        }
    }

    /** In containers, supervisors often have the same name, given or made of host name and process number. */
    @Test
    void workOfANamesakeIsNotTakenForItsOwn() throws Exception {
        JobType<String> block = JobType.of("block", String.class);
        CountDownLatch end = new CountDownLatch(1);
        try (Headgate headgate = Headgate.open(url())) {
            CountDownLatch begun = new CountDownLatch(6);
            headgate.handle(block, (text, job) -> {
                begun.countDown();
                end.await();
            });
            headgate.enqueueAll(block, Collections.nCopies(6, "x"), (text, job) -> job.queue("other"));
            headgate.worker("other").name("team.1").slots(6).start();
            assertThat(begun.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            growAndShrink(headgate);
            end.countDown();
        }
    }

    private void growAndShrink(Headgate headgate) throws Exception {
        HandlerHistory history = new HandlerHistory(Files.createFile(folder.resolve("history.csv")));
        try (WorkerProcess team = supervisor(
                Map.of(), "--processes", "1..3", "--slots", "2", "--scale-every", "100ms", "--idle-grace", "300ms")) {
            team.awaitRemark("serves default");
            List<JobId> jobs = new ArrayList<>();
            for (int each = 0; each < 6; each++) {
                jobs.add(headgate.enqueue(RecordingMain.RECORD, new Recorded(history.file(), 600_000))
                        .id());
            }
            // Why it grows and shrinks depends on what has been claimed or given back by then.
            team.awaitRemark("2 processes, before 1: ");
            team.awaitRemark("3 processes, before 2: ");
            while (history.starts() < 6) {
                Thread.onSpinWait();
            }
            // One that was told to leave in between, when there was less to do, may not have ended yet.
            while (team.children().size() != 3) {
                Thread.onSpinWait();
            }
            jobs.forEach(headgate::cancel);
            team.awaitRemark("2 processes, before 3: ");
            team.awaitRemark("1 process, before 2: ");
        }
    }
}
