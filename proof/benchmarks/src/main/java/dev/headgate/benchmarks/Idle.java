package dev.headgate.benchmarks;

import dev.headgate.Headgate;
import dev.headgate.Worker;
import dev.headgate.spi.Backend;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Statements per second of a worker that has nothing to do although 10,000 lanes wait for their time. */
final class Idle {
    private Idle() {}

    public static void main(String[] args) throws InterruptedException {
        int lanes = Integer.getInteger("lanes", 10_000);
        int seconds = Integer.getInteger("seconds", 60);
        try (Stores stores = new Stores(List.of(args))) {
            for (String kind : stores.kinds()) {
                try (Backend backend = Stores.open(stores.freshUrl(kind));
                        Headgate headgate = Headgate.open(backend)) {
                    headgate.handle(WorkerProcess.NOOP, (payload, job) -> {});
                    List<WorkerProcess.Nothing> payloads = IntStream.range(0, lanes)
                            .mapToObj(WorkerProcess.Nothing::new)
                            .toList();
                    headgate.enqueueAll(
                            WorkerProcess.NOOP,
                            payloads,
                            (p, job) -> job.queue("q").gate("key:" + p.n()).delay(Duration.ofHours(1)));
                    try (Worker worker = headgate.worker("q").slots(10).start()) {
                        worker.awaitIdle(Duration.ofSeconds(30));
                        long before = backend.statements();
                        // Nothing can happen here; this only lets time pass.
                        boolean ignored = new CountDownLatch(1).await(seconds, TimeUnit.SECONDS);
                        System.out.printf(
                                "%s: idle with %d timed lanes: %.2f statements a second over %d s%n",
                                kind, lanes, (backend.statements() - before) / (double) seconds, seconds);
                    }
                }
            }
        }
    }
}
