package dev.headgate.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.headgate.Headgate;
import dev.headgate.cli.RecordingMain;
import dev.headgate.cli.ReplicaMain;
import dev.headgate.job.JobFilter;
import dev.headgate.status.Overview.WorkerView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two processes that agree in everything but chance, as replicas in containers do: the same program, the same process number,
 * the same host name. Namespaces of Linux make them, which takes the right to; without it these tests are skipped.
 */
class ReplicasTest {
    private static final int THROWS = 40;

    /** The program is process 1 on a host of this name; it ends with the command. */
    private static final List<String> CONTAINER = List.of(
            "unshare",
            "--pid",
            "--fork",
            "--kill-child",
            "--mount-proc",
            "--uts",
            "--ipc",
            "sh",
            "-c",
            "echo replica >/proc/sys/kernel/hostname && exec \"$@\"",
            "sh");

    @BeforeAll
    static void requireContainers() throws InterruptedException {
        List<String> command = new ArrayList<>(CONTAINER);
        command.add("true");
        boolean isAllowed;
        try {
            isAllowed = new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException noSuchCommand) {
            isAllowed = false;
        }
        assumeTrue(isAllowed, "skipped: expected Linux and the right to make namespaces (unshare, as root)");
    }

    @Test
    void replicasHearEachOtherOnPostgres() throws Exception {
        playBall(TestServer.freshDatabase());
    }

    @Test
    void replicasHearEachOtherOnSqlite(@TempDir Path folder) throws Exception {
        playBall("jdbc:sqlite:" + folder.resolve("jobs.db"));
    }

    /** Neither looks for work by itself, so a ball that comes down has been heard of at each throw. */
    private static void playBall(String url) throws Exception {
        try (Headgate headgate = Headgate.open(url);
                WorkerProcess east = replica(url, "east", "west");
                WorkerProcess west = replica(url, "west", "east")) {
            for (WorkerProcess each : List.of(east, west)) {
                assertThat(each.awaitRemark(ReplicaMain.READY)).endsWith(" 1");
            }
            east.tell(Integer.toString(THROWS - 1));
            east.awaitRemark(ReplicaMain.DOWN);
            west.tell(Integer.toString(THROWS - 1));
            west.awaitRemark(ReplicaMain.DOWN);
            assertThat(headgate.list(JobFilter.all())).hasSize(2 * THROWS);
        }
    }

    private static WorkerProcess replica(String url, String queue, String others) throws IOException {
        return new WorkerProcess(CONTAINER, Map.of(), ReplicaMain.class, List.of(url, queue, others));
    }

    @Test
    void workersOfTheSameHostAndProcessNumberAreToldApart(@TempDir Path folder) throws Exception {
        String url = "jdbc:sqlite:" + folder.resolve("jobs.db");
        List<String> work = WorkerProcess.work(url);
        try (Headgate headgate = Headgate.open(url);
                WorkerProcess one = new WorkerProcess(CONTAINER, Map.of(), RecordingMain.class, work);
                WorkerProcess two = new WorkerProcess(CONTAINER, Map.of(), RecordingMain.class, work)) {
            one.awaitRemark("serves default");
            two.awaitRemark("serves default");
            assertThat(headgate.overview().workers())
                    .hasSize(2)
                    .allSatisfy(worker -> assertThat(worker.name()).startsWith("replica-1-"))
                    .extracting(WorkerView::name)
                    .doesNotHaveDuplicates();
        }
    }
}
