package dev.headgate.internal.worker;

import static dev.headgate.handler.HandlerOptions.DEFAULT;

import dev.headgate.Headgate;
import dev.headgate.Worker;
import dev.headgate.job.JobType;
import dev.headgate.resource.Headroom;
import dev.headgate.resource.Needs;
import dev.headgate.testkit.memory.MemoryBackend;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/** A JVM with 64 MB of heap that works off jobs of 16 MB with many slots, and exits with 3 if that is too much. */
final class FloodProcess {
    private record Nothing(int n) {}

    private static final JobType<Nothing> HEAVY = JobType.of("heavy", Nothing.class);
    private static final int JOBS = 40;
    private static final int CHUNK = 64 << 10;

    private FloodProcess() {}

    /** How it ended: the exit code, and what it said. */
    record End(int exit, List<String> lines) {}

    static End run(String room) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FloodProcess.class.getName(),
                        room)
                .redirectErrorStream(true)
                .start();
        List<String> lines = process.inputReader().lines().toList();
        return new End(process.waitFor(), lines);
    }

    public static void main(String[] args) throws InterruptedException {
        long peak = Runtime.getRuntime().maxMemory() / 4;
        CountDownLatch left = new CountDownLatch(JOBS);
        try (Headgate headgate = Headgate.open(new MemoryBackend())) {
            headgate.handle(
                    HEAVY,
                    (payload, job) -> {
                        hold(peak);
                        left.countDown();
                    },
                    DEFAULT.needs(Needs.memory(peak)));
            headgate.enqueueAll(HEAVY, Collections.nCopies(JOBS, new Nothing(1)));
            Worker worker = headgate.worker("default")
                    .slots(64)
                    .headroom(args[0].equals("minding") ? Headroom.system() : Headroom.ignored())
                    .start();
            left.await();
            worker.stop();
        }
        System.out.println("done");
    }

    private static void hold(long bytes) {
        List<byte[]> held = new ArrayList<>();
        for (long taken = 0; taken < bytes; taken += CHUNK) {
            held.add(new byte[CHUNK]);
        }
        LockSupport.parkNanos(10_000_000);
        held.getLast()[0] = (byte) held.size();
    }
}
