package dev.headgate.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.headgate.Headgate;
import dev.headgate.job.JobId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SqliteFaultTest implements FaultContract {
    private static final int ENOUGH = 100;

    @TempDir
    Path store;

    @Override
    public String freshStore() {
        return "jdbc:sqlite:" + store.resolve("jobs.db");
    }

    @Test
    void everyAcknowledgedEnqueueWasSyncedToDisk(@TempDir Path root) throws Exception {
        Folder folder = Folder.fresh(root.resolve("client"));
        Path calls = root.resolve("calls");
        try (Jvm client = traced(folder, "-o", calls.toString())) {
            Scene.await("%d answers".formatted(ENOUGH), () -> answers(folder, "ACK") >= ENOUGH);
        }
        long acknowledged = answers(folder, "ACK");
        assertThat(Files.readAllLines(calls).stream()
                        .filter(line -> line.contains("sync") && line.endsWith(" = 0"))
                        .count())
                .as("syncs")
                .isGreaterThanOrEqualTo(acknowledged);
    }

    @Test
    void whatCouldNotBeSyncedIsNotAcknowledged(@TempDir Path root) throws Exception {
        Folder folder = Folder.fresh(root.resolve("client"));
        // The first of them while the tables are made; a client that cannot open the store is told so.
        try (Jvm client = traced(folder, "-o", "/dev/null", "-e", "inject=fsync,fdatasync:error=EIO:when=30+7")) {
            Scene.await("%d answers".formatted(ENOUGH), () -> answers(folder, "ACK") >= ENOUGH);
        }
        assertThat(answers(folder, "UNKNOWN") + answers(folder, "FAIL"))
                .as("enqueues that failed")
                .isPositive();
        try (Headgate headgate = Headgate.open(freshStore())) {
            for (String[] line : Trail.read(folder.client())) {
                if (line[1].equals("ACK")) {
                    assertThat(headgate.find(JobId.parse(line[2])))
                            .as("job " + line[2])
                            .isPresent();
                }
            }
            Report report = new Report("after failed syncs");
            Map<Long, Judge.Ending> none = new HashMap<>();
            new Judge(headgate, folder, report).conclude(none);
            report.findings().remove("liveness"); // no worker ran the jobs
            report.findings().remove("journal");
            assertThat(report.findings()).isEmpty();
        }
    }

    private Jvm traced(Folder folder, String... options) throws InterruptedException {
        String reason = Tools.whyNoTrace();
        assumeTrue(reason == null, () -> "skipped: " + reason);
        List<String> strace = new ArrayList<>(List.of("strace", "-f", "-qq", "-e", "trace=fsync,fdatasync"));
        strace.addAll(List.of(options));
        Jvm client = new Jvm.Launch(
                        ClientMain.class,
                        List.of(freshStore(), folder.root().toString(), "1"),
                        strace,
                        Map.of(),
                        folder.root().resolve("client.log"))
                .start();
        assertThat(client.awaitReady(Scene.PATIENCE.toSeconds())).isTrue();
        return client;
    }

    private static long answers(Folder folder, String kind) {
        return Trail.read(folder.client()).stream()
                .filter(line -> line.length == 4 && line[1].equals(kind))
                .count();
    }

    @Test
    void aFullDiskLosesNothingAndHeals(@TempDir Path root) throws InterruptedException, IOException {
        Path disk = Files.createDirectory(root.resolve("disk"));
        String reason = Tools.whyNoSmallDisk(disk);
        assumeTrue(reason == null, () -> "skipped: " + reason);
        Path log = root.resolve("disk.log");
        String mount = "mount -t tmpfs -o size=8m tmpfs \"$0\" && exec \"$@\"";
        try (Jvm program = new Jvm.Launch(
                        FullDiskMain.class,
                        List.of(disk.toString()),
                        List.of("unshare", "-Urm", "sh", "-c", mount, disk.toString()),
                        Map.of(),
                        log)
                .start()) {
            assertThat(program.awaitExit(120)).isTrue();
            assertThat(program.awaitExit()).as(Files.readString(log)).isZero();
            assertThat(Files.readAllLines(log))
                    .as("it says so, and not too often")
                    .hasSizeLessThan(30);
        }
    }
}
