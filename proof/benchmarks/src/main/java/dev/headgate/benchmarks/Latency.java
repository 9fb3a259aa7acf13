package dev.headgate.benchmarks;

import dev.headgate.Headgate;
import dev.headgate.job.JobId;
import dev.headgate.job.JobStatus;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** From enqueue in one process to start in another, on an idle system, both stamped by the store's clock. */
final class Latency {
    private Latency() {}

    public static void main(String[] args) throws InterruptedException {
        int jobs = Integer.getInteger("jobs", 300);
        try (Stores stores = new Stores(List.of(args))) {
            for (String kind : stores.kinds()) {
                String url = stores.freshUrl(kind);
                try (Headgate headgate = Headgate.open(url);
                        WorkerProcess worker = WorkerProcess.start(url, "q", 10)) {
                    long[] micros = new long[jobs];
                    for (int i = -20; i < jobs; i++) {
                        long took = one(headgate);
                        if (i >= 0) {
                            micros[i] = took;
                        }
                    }
                    Arrays.sort(micros);
                    System.out.printf(
                            "%s: enqueue in one process to start in another: p50 %.1f ms, p90 %.1f ms, p99 %.1f ms (%d jobs)%n",
                            kind,
                            micros[jobs / 2] / 1e3,
                            micros[jobs * 9 / 10] / 1e3,
                            micros[jobs * 99 / 100] / 1e3,
                            jobs);
                }
            }
        }
    }

    private static long one(Headgate headgate) throws InterruptedException {
        JobId id = headgate.enqueue(WorkerProcess.NOOP, new WorkerProcess.Nothing(1), job -> job.queue("q"))
                .id();
        JobStatus ended = headgate.await(id, Duration.ofSeconds(30)).orElseThrow();
        return Duration.between(
                                ended.times().enqueuedAt(),
                                Objects.requireNonNull(ended.times().startedAt()))
                        .toNanos()
                / 1_000;
    }
}
