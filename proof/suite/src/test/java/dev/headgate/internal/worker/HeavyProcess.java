package dev.headgate.internal.worker;

import dev.headgate.Headgate;
import dev.headgate.Worker;
import dev.headgate.handler.JobContext;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobType;
import dev.headgate.resource.Needs;
import dev.headgate.testkit.memory.MemoryBackend;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * A JVM with 512 MB of heap and two workers that work off 30 jobs of 40 to 60 MB of which nothing is declared, and that exits
 * with 3 if that is too much.
 */
final class HeavyProcess {
    private record Load(int megabytes, int millis) {}

    private static final JobType<Load> HEAVY = JobType.of("heavy", Load.class);
    private static final int JOBS = 30;
    private static final int GARBAGE = 1_200;

    private HeavyProcess() {}

    /** @param piece of how many bytes each object is that a job holds */
    static FloodProcess.End run(String collector, int piece) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-Xms512m",
                        "-Xmx512m",
                        "-XX:+" + collector,
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HeavyProcess.class.getName(),
                        Integer.toString(piece))
                .redirectErrorStream(true)
                .start();
        List<String> lines = process.inputReader().lines().toList();
        return new FloodProcess.End(process.waitFor(), lines);
    }

    public static void main(String[] args) throws InterruptedException {
        Random random = new Random(20);
        int piece = Integer.parseInt(args[0]);
        litter();
        try (Headgate headgate = Headgate.open(new MemoryBackend())) {
            headgate.handle(HEAVY, (load, job) -> hold(load, piece, job));
            Worker first = work(headgate);
            Worker second = work(headgate);
            headgate.overview().workers().forEach(worker -> {
                long whole = worker.room().level(Needs.MEMORY).whole() >> 20;
                System.out.println(whole > 400 ? "room is wide" : "room is %d MB".formatted(whole));
            });
            List<JobId> jobs = new ArrayList<>();
            for (int i = 0; i < JOBS; i++) {
                jobs.add(headgate.enqueue(HEAVY, new Load(40 + random.nextInt(21), 50 + random.nextInt(200)))
                        .id());
            }
            int succeeded = 0;
            for (JobId job : jobs) {
                var end = headgate.await(job, Duration.ofMinutes(2)).orElseThrow();
                succeeded += end.state() == JobState.SUCCEEDED && end.leases().attempt() == 1 ? 1 : 0;
            }
            first.stop();
            second.stop();
            System.out.println("succeeded " + succeeded);
        }
    }

    private static Worker work(Headgate headgate) {
        return headgate.worker("default").slots(20).start();
    }

    /** What a program leaves behind as it starts. */
    private static void litter() {
        List<byte[]> garbage = new ArrayList<>();
        for (int i = 0; i < GARBAGE; i++) {
            garbage.add(new byte[64 << 10]);
            garbage.removeFirst();
        }
    }

    private static void hold(Load load, int piece, JobContext job) {
        List<byte[]> large = new ArrayList<>();
        for (int bytes = load.megabytes() << 20; bytes > 0; bytes -= piece) {
            large.add(new byte[Math.min(piece, bytes)]);
        }
        LockSupport.parkNanos(load.millis() * 1_000_000L);
        if (large.getLast()[0] != 0) {
            throw new AssertionError("never: " + job.id());
        }
    }
}
