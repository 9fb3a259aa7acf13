package dev.headgate.benchmarks;

import dev.headgate.Headgate;
import dev.headgate.Worker;
import dev.headgate.benchmarks.WorkerProcess.Nothing;
import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.job.JobStatus;
import dev.headgate.job.Outcome;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Limit;
import dev.headgate.spi.Backend;
import dev.headgate.spi.WorkerRow;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * A worker of {@code *} in a store with many queues, of which each has had a job, has one for later and one that a held gate
 * blocks: what the worker asks while nothing can start, how soon the first job of a new queue starts in another process, and what
 * a turn over three queues with work costs beside a worker that named just these three. Options: queues, seconds, jobs, turns.
 */
final class ManyQueues {
    private static final List<String> THREE = List.of("one", "two", "three");

    private ManyQueues() {}

    public static void main(String[] args) throws InterruptedException {
        int queues = Integer.getInteger("queues", 10_000);
        try (Stores stores = new Stores(List.of(args))) {
            for (String kind : stores.kinds()) {
                String url = stores.freshUrl(kind);
                try (Backend backend = Stores.open(url);
                        Headgate headgate = Headgate.open(backend)) {
                    fill(headgate, queues);
                    idle(backend, headgate, kind, queues);
                    turns(new JobStore(backend), kind, queues);
                    latency(headgate, url, kind, queues);
                }
                stores.discard(url);
            }
        }
    }

    private static void fill(Headgate headgate, int queues) throws InterruptedException {
        headgate.handle(WorkerProcess.NOOP, (payload, job) -> {});
        headgate.policies().gate("shut", gate -> gate.limit(Limit.concurrency(1)));
        for (int from = 0; from < queues; from += 1_000) {
            List<Nothing> some = IntStream.range(from, Math.min(queues, from + 1_000))
                    .mapToObj(Nothing::new)
                    .toList();
            headgate.enqueueAll(WorkerProcess.NOOP, some, (payload, job) -> job.queue("site:" + payload.n()));
            headgate.enqueueAll(
                    WorkerProcess.NOOP,
                    some,
                    (payload, job) -> job.queue("site:" + payload.n()).delay(Duration.ofHours(9)));
        }
        long begin = System.nanoTime();
        try (Worker worker = headgate.worker("*").slots(100).start()) {
            worker.awaitIdle(Duration.ofMinutes(10));
        }
        System.out.printf(
                "%d queues with one job each, worked off in %.1f s%n", queues, (System.nanoTime() - begin) / 1e9);
        headgate.controls().hold(GateKey.gate("shut"), Duration.ofHours(9), "a benchmark");
        for (int from = 0; from < queues; from += 1_000) {
            headgate.enqueueAll(
                    WorkerProcess.NOOP,
                    IntStream.range(from, Math.min(queues, from + 1_000))
                            .mapToObj(Nothing::new)
                            .toList(),
                    (payload, job) -> job.queue("site:" + payload.n()).gate("shut"));
        }
    }

    private static void idle(Backend backend, Headgate headgate, String kind, int queues) throws InterruptedException {
        int seconds = Integer.getInteger("seconds", 20);
        try (Worker worker = headgate.worker("*").slots(100).start()) {
            long begin = System.nanoTime();
            worker.awaitIdle(Duration.ofMinutes(10));
            System.out.printf(
                    "%s: %d blocked lanes of as many queues judged in %.1f s%n",
                    kind, queues, (System.nanoTime() - begin) / 1e9);
            long before = backend.statements();
            // Nothing can happen here; this only lets time pass.
            boolean ignored = new CountDownLatch(1).await(seconds, TimeUnit.SECONDS);
            System.out.printf(
                    "%s: idle over %d queues: %.2f statements a second over %d s%n",
                    kind, queues, (backend.statements() - before) / (double) seconds, seconds);
        }
    }

    private static void turns(JobStore store, String kind, int queues) {
        int turns = Integer.getInteger("turns", 300);
        double[][] millis = {new double[turns], new double[turns]};
        List<List<String>> served = List.of(THREE, List.of("*"));
        for (int way = 0; way < 2; way++) {
            store.register(
                    new WorkerRow("w" + way, "w", served.get(way), 3, 0, 0, List.of()), Duration.ofHours(1), List.of());
        }
        for (int round = -100; round < turns; round++) {
            for (int way = 0; way < 2; way++) {
                THREE.forEach(queue -> Loads.enqueue(store, 1, queue, i -> List.of()));
                long begin = System.nanoTime();
                Turn turn = store.turnaround(new TurnRequest("w" + way, served.get(way), 3, List.of()));
                List<EndedLease> ended = turn.started().stream()
                        .map(job -> new EndedLease(job, new Outcome.Succeeded(null)))
                        .toList();
                store.turnaround(new TurnRequest("w" + way, served.get(way), 3, ended));
                double took = (System.nanoTime() - begin) / 1e6;
                if (ended.size() != THREE.size()) {
                    throw new IllegalStateException("expected 3 starts, got " + ended.size());
                }
                if (round >= 0) {
                    millis[way][round] = took;
                }
            }
        }
        store.deregister("w0");
        store.deregister("w1");
        for (double[] each : millis) {
            Arrays.sort(each);
        }
        System.out.printf(
                "%s: two turns that start and end 3 jobs of 3 queues beside %d others: %.2f ms by name, %.2f ms as *"
                        + " (medians of %d; %.2f times)%n",
                kind,
                queues,
                millis[0][turns / 2],
                millis[1][turns / 2],
                turns,
                millis[1][turns / 2] / millis[0][turns / 2]);
    }

    private static void latency(Headgate headgate, String url, String kind, int queues) throws InterruptedException {
        int jobs = Integer.getInteger("jobs", 200);
        try (WorkerProcess worker = WorkerProcess.start(url, "*", 10)) {
            double[] millis = new double[jobs];
            double first = 0;
            for (int i = -20; i < jobs; i++) {
                double took = one(headgate, "new:" + i);
                first = i == -20 ? took : first;
                if (i >= 0) {
                    millis[i] = took;
                }
            }
            Arrays.sort(millis);
            System.out.printf(
                    "%s: enqueue into a new queue to start in another process, beside %d queues: p50 %.1f ms, p99 %.1f ms,"
                            + " longest %.1f ms; the very first %.1f ms (%d jobs, each in a queue of its own)%n",
                    kind, queues, millis[jobs / 2], millis[jobs * 99 / 100], millis[jobs - 1], first, jobs);
        }
    }

    private static double one(Headgate headgate, String queue) throws InterruptedException {
        var id = headgate.enqueue(WorkerProcess.NOOP, new Nothing(1), job -> job.queue(queue))
                .id();
        JobStatus ended = headgate.await(id, Duration.ofSeconds(30)).orElseThrow();
        return Duration.between(
                                ended.times().enqueuedAt(),
                                Objects.requireNonNull(ended.times().startedAt()))
                        .toNanos()
                / 1e6;
    }
}
