package dev.headgate.benchmarks;

import static dev.headgate.handler.HandlerOptions.DEFAULT;

import dev.headgate.Headgate;
import dev.headgate.Worker;
import dev.headgate.job.JobType;
import dev.headgate.resource.Headroom;
import dev.headgate.resource.Needs;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A JVM with a small heap that works off a flood of heavy jobs, each with a quarter of the heap at its peak. It prints how
 * many milliseconds that took; it exits with 3 at the first OutOfMemoryError.
 */
final class FloodProcess {
    private record Nothing(int n) {}

    private static final JobType<Nothing> HEAVY = JobType.of("heavy", Nothing.class);
    private static final int CHUNK = 64 << 10;
    private static final long HOLD_MILLIS = 50;

    private FloodProcess() {}

    /** How it ended; no time means that memory ran out. */
    record End(boolean isOutOfMemory, double seconds) {}

    static End run(String url, boolean isMinding, int slots, int jobs) throws Exception {
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Xmx256m",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
                        "-cp",
                        System.getProperty("java.class.path", ""),
                        FloodProcess.class.getName(),
                        url,
                        Boolean.toString(isMinding),
                        Integer.toString(slots),
                        Integer.toString(jobs))
                .redirectErrorStream(true)
                .start();
        List<String> lines = process.inputReader().lines().toList();
        int exit = process.waitFor();
        if (exit != 0 && exit != 3) {
            throw new IllegalStateException("flood: expected exit code 0 or 3, got %d: %s".formatted(exit, lines));
        }
        return new End(exit == 3, exit == 3 ? 0 : Long.parseLong(lines.getLast()) / 1e3);
    }

    public static void main(String[] args) throws InterruptedException {
        long peak = Runtime.getRuntime().maxMemory() / 4;
        int jobs = Integer.parseInt(args[3]);
        try (Headgate headgate = Headgate.open(args[0])) {
            CountDownLatch left = new CountDownLatch(jobs);
            headgate.handle(
                    HEAVY,
                    (payload, job) -> {
                        hold(peak);
                        left.countDown();
                    },
                    DEFAULT.needs(Needs.memory(peak)));
            headgate.enqueueAll(HEAVY, Collections.nCopies(jobs, new Nothing(1)), (payload, job) -> job.queue("q"));
            long begin = System.nanoTime();
            try (Worker worker = headgate.worker("q")
                    .slots(Integer.parseInt(args[2]))
                    .headroom(Boolean.parseBoolean(args[1]) ? Headroom.system() : Headroom.ignored())
                    .start()) {
                left.await();
                System.out.println((System.nanoTime() - begin) / 1_000_000);
                worker.stop();
            }
        }
    }

    /** Fills its memory, works with it for a while and lets go of it. */
    private static void hold(long bytes) throws InterruptedException {
        List<byte[]> held = new ArrayList<>();
        for (long taken = 0; taken < bytes; taken += CHUNK) {
            held.add(new byte[CHUNK]);
        }
        Thread.sleep(HOLD_MILLIS);
        held.getLast()[0] = (byte) held.size();
    }
}
