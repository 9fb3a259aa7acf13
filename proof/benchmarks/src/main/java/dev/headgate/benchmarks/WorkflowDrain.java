package dev.headgate.benchmarks;

import dev.headgate.Headgate;
import dev.headgate.Worker;
import dev.headgate.job.JobType;
import dev.headgate.run.RunState;
import dev.headgate.spi.Backend;
import dev.headgate.workflow.Workflow;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * Workflows beside plain jobs in the same process: runs of three steps that do nothing, fan-outs of two sizes, and
 * sleepers without a caller.
 */
final class WorkflowDrain {
    private record State(int n) {}

    private record Items(int count) {
        List<Integer> each() {
            return IntStream.range(0, count).boxed().toList();
        }
    }

    private static final JobType<State> PLAIN = JobType.of("plain", State.class);
    private static final int STEPS = 3;
    private static final int CHUNK = 1_000;

    private WorkflowDrain() {}

    public static void main(String[] args) throws InterruptedException {
        int runs = Integer.getInteger("runs", 10_000);
        int slots = Integer.getInteger("slots", 500);
        int rounds = Integer.getInteger("rounds", 3);
        int items = Integer.getInteger("items", 10_000);
        int sleepers = Integer.getInteger("sleepers", 1_000_000);
        try (Stores stores = new Stores(List.of(args))) {
            for (String kind : stores.kinds()) {
                for (int round = 1; round <= rounds; round++) {
                    double plain = plain(stores.freshUrl(kind), runs * STEPS, slots);
                    double steps = steps(stores.freshUrl(kind), runs, slots);
                    System.out.printf(
                            "%s round %d: %.0f plain jobs/s, %.0f steps/s in %d runs of %d; %.0f %%%n",
                            kind, round, plain, steps, runs, STEPS, 100 * steps / plain);
                }
                fanOut(stores.freshUrl(kind), kind, items / 10, slots);
                fanOut(stores.freshUrl(kind), kind, items, slots);
                sleepers(stores.freshUrl(kind), kind, sleepers);
            }
        }
    }

    /** Enqueued and run, jobs a second. */
    private static double plain(String url, int jobs, int slots) throws InterruptedException {
        try (Headgate headgate = Headgate.open(url)) {
            CountDownLatch left = new CountDownLatch(jobs);
            headgate.handle(PLAIN, (payload, job) -> left.countDown());
            long begin = System.nanoTime();
            for (int from = 0; from < jobs; from += CHUNK) {
                headgate.enqueueAll(PLAIN, Collections.nCopies(CHUNK, new State(from)), (payload, job) -> {});
            }
            try (Worker worker = headgate.worker("default").slots(slots).start()) {
                left.await();
                worker.awaitIdle(Duration.ofMinutes(1));
                return jobs / seconds(begin);
            }
        }
    }

    /** Started and run, steps a second. */
    private static double steps(String url, int runs, int slots) throws InterruptedException {
        CountDownLatch left = new CountDownLatch(runs);
        Workflow<State, State> three = Workflow.named("three", 1, State.class)
                .then("one", (state, step) -> state)
                .then("two", (state, step) -> state)
                .then("three", (state, step) -> {
                    left.countDown();
                    return state;
                })
                .build();
        try (Headgate headgate = Headgate.open(url)) {
            headgate.workflows().register(three);
            long begin = System.nanoTime();
            for (int from = 0; from < runs; from += CHUNK) {
                headgate.workflows().startAll(three, Collections.nCopies(CHUNK, new State(from)), (state, run) -> {});
            }
            try (Worker worker = headgate.worker("default").slots(slots).start()) {
                left.await();
                worker.awaitIdle(Duration.ofMinutes(1));
                return runs * STEPS / seconds(begin);
            }
        }
    }

    private static void fanOut(String url, String kind, int items, int slots) throws InterruptedException {
        CountDownLatch joined = new CountDownLatch(1);
        Workflow<Items, Items> fan = Workflow.named("fan", 1, Items.class)
                .forEach("each", Items::each, Integer.class, Integer.class, (item, step) -> item)
                .reduce((state, results) -> new Items(results.size()))
                .then("joined", (state, step) -> {
                    joined.countDown();
                    return state;
                })
                .build();
        try (Headgate headgate = Headgate.open(url)) {
            headgate.workflows().register(fan);
            long begin = System.nanoTime();
            var id = headgate.workflows().start(fan, new Items(items)).id();
            try (Worker worker = headgate.worker("default").slots(slots).start()) {
                joined.await();
                worker.awaitIdle(Duration.ofMinutes(1));
                double seconds = seconds(begin);
                RunState state = headgate.workflows().status(id).state();
                System.out.printf(
                        "%s: fan-out of %d items in %.2f s, %.0f us an item (%s)%n",
                        kind, items, seconds, seconds * 1e6 / items, state);
            }
        }
    }

    private static void sleepers(String url, String kind, int count) throws InterruptedException {
        int seconds = Integer.getInteger("seconds", 20);
        Workflow<State, State> sleepy = Workflow.named("sleepy", 1, State.class)
                .sleep("long", Duration.ofDays(1))
                .build();
        try (Backend backend = Stores.open(url);
                Headgate headgate = Headgate.open(backend)) {
            headgate.workflows().register(sleepy);
            for (int from = 0; from < count; from += CHUNK) {
                headgate.workflows().startAll(sleepy, Collections.nCopies(CHUNK, new State(from)), (state, run) -> {});
            }
            try (Worker worker = headgate.worker("default").slots(10).start()) {
                worker.awaitIdle(Duration.ofMinutes(30));
                long before = backend.statements();
                // Nothing can happen here; this only lets time pass.
                boolean ignored = new CountDownLatch(1).await(seconds, TimeUnit.SECONDS);
                System.out.printf(
                        "%s: %d sleeping runs: %.2f statements a second over %d s%n",
                        kind, count, (backend.statements() - before) / (double) seconds, seconds);
            }
        }
    }

    private static double seconds(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }
}
