package dev.headgate.benchmarks;

import dev.headgate.Headgate;
import dev.headgate.Worker;
import dev.headgate.job.JobType;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/** One worker process with real handlers that do nothing, and a queue gate on every claim. */
final class WorkerDrain {
    private record Nothing(int n) {}

    private static final JobType<Nothing> NOOP = JobType.of("noop", Nothing.class);
    private static final int CHUNK = 10_000;

    private WorkerDrain() {}

    public static void main(String[] args) throws InterruptedException {
        int jobs = Integer.getInteger("jobs", 200_000);
        int slots = Integer.getInteger("slots", 500);
        int rounds = Integer.getInteger("rounds", 3);
        try (Stores stores = new Stores(List.of(args))) {
            for (String kind : stores.kinds()) {
                for (int round = 1; round <= rounds; round++) {
                    round(stores, kind, jobs, slots, round);
                }
            }
        }
    }

    private static void round(Stores stores, String kind, int jobs, int slots, int round) throws InterruptedException {
        try (Headgate headgate = Headgate.open(stores.freshUrl(kind))) {
            headgate.policies().queue("q", q -> q.maxInFlight(100_000));
            CountDownLatch left = new CountDownLatch(jobs);
            headgate.handle(NOOP, (payload, job) -> left.countDown());
            long begin = System.nanoTime();
            for (int from = 0; from < jobs; from += CHUNK) {
                List<Nothing> payloads = IntStream.range(from, Math.min(jobs, from + CHUNK))
                        .mapToObj(Nothing::new)
                        .toList();
                headgate.enqueueAll(NOOP, payloads, (payload, job) -> job.queue("q"));
            }
            long enqueued = System.nanoTime();
            try (Worker worker = headgate.worker("q").slots(slots).start()) {
                left.await();
                long drained = System.nanoTime();
                System.out.printf(
                        "%s round %d: enqueue %.0f/s, drain %.0f/s (%d jobs, %d slots, worker %s)%n",
                        kind,
                        round,
                        jobs / ((enqueued - begin) / 1e9),
                        jobs / ((drained - enqueued) / 1e9),
                        jobs,
                        slots,
                        worker.id());
            }
        }
    }
}
