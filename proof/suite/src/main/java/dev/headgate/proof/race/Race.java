package dev.headgate.proof.race;

import dev.headgate.internal.job.JobStore;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import dev.headgate.proof.Jobs;
import dev.headgate.spi.Backend.Subscription;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/** Workers and enqueuers on threads of their own, until every job has succeeded. */
public final class Race {
    static final String QUEUE = "race";
    private static final int KEYS = 6;
    private static final int PER_KEY = 2;
    private static final int SHARED = 5;
    private static final int QUEUE_MAX = 7;
    private static final int PACED = 40;
    private static final long PACED_PER_NANOS = 200_000_000;
    private static final int BURST = 20;
    private static final long TOKEN_NANOS = 10_000_000;

    private final JobStore store;
    private final int workers;
    private final int enqueuers;
    private final int jobsEach;
    private final Probe probe = new Probe();
    private String order = "";
    private boolean isTimed;
    private final CountDownLatch left;
    private final Collection<Throwable> failures = new ConcurrentLinkedQueue<>();

    public Race(JobStore store, int workers, int enqueuers, int jobsEach) {
        this.store = store;
        this.workers = workers;
        this.enqueuers = enqueuers;
        this.jobsEach = jobsEach;
        this.left = new CountDownLatch(enqueuers * jobsEach);
    }

    /** Limits that were seen broken, and what else went wrong. */
    public List<String> violations() {
        List<String> all = new ArrayList<>(probe.violations());
        failures.forEach(failure -> all.add(failure.toString()));
        return all;
    }

    /** The queue and the gate that all jobs share go by fair shares of the keys. */
    public Race fair() {
        order = "; fair by key:*";
        return this;
    }

    /** Some jobs pass a window or a bucket too, and are judged by the moments at which their handlers start. */
    public Race timed() {
        isTimed = true;
        return this;
    }

    private void limitInTime() {
        store.setPolicy(
                GateKey.gate("paced"),
                GatePolicy.parse("window %d/%dms margin 100ms".formatted(PACED, PACED_PER_NANOS / 1_000_000)));
        store.setPolicy(
                GateKey.gate("metered"),
                GatePolicy.parse("rate %d/1s burst %d margin 100ms".formatted(1_000_000_000 / TOKEN_NANOS, BURST)));
        probe.limitInTime("paced", span -> (span / PACED_PER_NANOS + 1) * PACED);
        probe.limitInTime("metered", span -> BURST + span / TOKEN_NANOS);
    }

    public void run() throws InterruptedException {
        probe.limit("shared", SHARED);
        store.setPolicy(GateKey.gate("shared"), GatePolicy.parse("concurrency " + SHARED + order + "; journal 1h"));
        store.setPolicy(GateKey.gate("key:*"), GatePolicy.of(Limit.concurrency(PER_KEY)));
        store.setPolicy(GateKey.queue(QUEUE), GatePolicy.parse("concurrency " + QUEUE_MAX + order + "; journal 1h"));
        if (isTimed) {
            limitInTime();
        }
        for (int key = 0; key < KEYS; key++) {
            probe.limit("key:" + key, PER_KEY);
        }
        List<Racer> racers = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            Racer racer = new Racer(store, "racer-" + i, i, probe, left);
            racers.add(racer);
            threads.add(start(racer));
        }
        try (Subscription wakes = store.backend().listen(wake -> racers.forEach(Racer::wake))) {
            racers.forEach(Racer::wake);
            for (int i = 0; i < enqueuers; i++) {
                Random random = new Random(1000 + i);
                threads.add(start(() -> enqueue(random)));
            }
            left.await();
            racers.forEach(Racer::stop);
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    /** One by one, so that lanes run empty and fill again all the time. */
    private void enqueue(Random random) {
        for (int i = 0; i < jobsEach; i++) {
            String key = "key:" + random.nextInt(KEYS);
            var job = Jobs.job(QUEUE);
            if (isTimed && random.nextBoolean()) {
                job.gate(random.nextBoolean() ? "paced" : "metered");
            }
            switch (random.nextInt(4)) {
                case 0 -> store.enqueue(List.of(job.build()));
                case 1 -> store.enqueue(List.of(job.gate("shared").build()));
                case 2 -> store.enqueue(List.of(job.gate(key).build()));
                default -> store.enqueue(List.of(job.gate("shared").gate(key).build()));
            }
        }
    }

    private Thread start(Runnable work) {
        return Thread.ofPlatform().start(() -> {
            try {
                work.run();
            } catch (RuntimeException | Error failed) {
                failures.add(failed);
                while (left.getCount() > 0) {
                    left.countDown();
                }
            }
        });
    }
}
