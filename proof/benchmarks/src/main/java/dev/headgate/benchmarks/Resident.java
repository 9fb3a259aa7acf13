package dev.headgate.benchmarks;

import dev.headgate.internal.job.JobStore;
import dev.headgate.job.Cost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** How much memory a worker process holds with all its slots busy while a million jobs wait. */
final class Resident {
    private static final int SLOTS = Integer.getInteger("slots", 1_000);
    private static final long WAITING = Long.getLong("waiting", 1_000_000);
    private static final long SETTLE_NANOS = 20_000_000_000L;

    private Resident() {}

    static void measure(Stores stores) {
        if (!Files.exists(Path.of("/proc/self/status"))) {
            System.out.println("memory: skipped, this system has no /proc");
            return;
        }
        for (String kind : stores.kinds()) {
            for (List<String> options : List.of(List.<String>of(), List.of("-Xmx128m", "-XX:+UseSerialGC"))) {
                measure(kind, stores.freshUrl(kind), options);
            }
        }
    }

    private static void measure(String kind, String url, List<String> options) {
        try (JobStore store = new JobStore(Stores.open(url))) {
            String ms = "{\"n\":600000}";
            Loads.enqueue(store, SLOTS, i -> Loads.job("q", List.of(), "busy", ms, Cost.ONE));
            try (Fill fill = new Fill(url)) {
                fill.plain(WAITING).settled();
            }
            try (WorkerProcess worker = WorkerProcess.start(url, "q", SLOTS, options)) {
                long running = 0;
                while (running < SLOTS) {
                    LockSupport.parkNanos(100_000_000);
                    running = store.overview(1).workers().stream()
                            .mapToLong(view -> view.busy())
                            .sum();
                }
                LockSupport.parkNanos(SETTLE_NANOS);
                System.out.printf(
                        "memory, %s, %s: %,d busy slots, %,d waiting: %s%n",
                        kind,
                        options.isEmpty() ? "default options" : String.join(" ", options),
                        running,
                        WAITING,
                        status(worker.pid()));
            }
        }
    }

    /** Now, and at most so far. */
    private static String status(long pid) {
        try {
            List<String> lines = Files.readAllLines(Path.of("/proc/" + pid + "/status"));
            return lines.stream()
                    .filter(line -> line.startsWith("VmRSS") || line.startsWith("VmHWM"))
                    .map(line -> line.replaceAll("\\s+", " "))
                    .toList()
                    .toString();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
