package dev.headgate.benchmarks;

import static dev.headgate.limit.Limit.rate;

import dev.headgate.Headgate;
import dev.headgate.Worker;
import dev.headgate.benchmarks.WorkerProcess.Nothing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * How long a job on a free key waits behind jobs on keys that have just become blocked, while slots are free. Warm: a worker
 * is idle when they are enqueued, measured from the enqueue of the free job. Cold: all of them wait when a worker starts,
 * measured from that start. Options: keys, slots, rounds, kinds.
 */
final class Hidden {
    private static final int FREE = -1;

    private Hidden() {}

    public static void main(String[] args) throws InterruptedException {
        List<Integer> keys = numbers("keys", "300,10000,100000");
        List<Integer> slots = numbers("slots", "1,8");
        int rounds = Integer.getInteger("rounds", 3);
        List<String> kinds = List.of(System.getProperty("kinds", "warm,cold").split(","));
        try (Stores stores = new Stores(List.of(args))) {
            for (String store : stores.kinds()) {
                measure(stores, store, 2_000, 8, "warm"); // compiles the code
                for (int count : keys) {
                    for (int free : slots) {
                        for (String kind : kinds) {
                            List<Double> found = new ArrayList<>();
                            for (int round = 0; round < rounds; round++) {
                                found.add(measure(stores, store, count, free, kind));
                            }
                            found.sort(null);
                            System.out.printf(
                                    "%s: %d newly blocked keys, %d slots, %s: the free key's job starts after %.0f ms"
                                            + " (median of %d, %.0f to %.0f)%n",
                                    store,
                                    count,
                                    free,
                                    kind,
                                    found.get(rounds / 2),
                                    rounds,
                                    found.getFirst(),
                                    found.getLast());
                        }
                    }
                }
            }
        }
    }

    private static List<Integer> numbers(String property, String otherwise) {
        return Stream.of(System.getProperty(property, otherwise).split(","))
                .map(Integer::valueOf)
                .toList();
    }

    private static double measure(Stores stores, String store, int keys, int slots, String kind)
            throws InterruptedException {
        String url = stores.freshUrl(store);
        CountDownLatch spent = new CountDownLatch(keys);
        CountDownLatch started = new CountDownLatch(1);
        long[] startedAt = new long[1];
        double millis;
        try (Headgate headgate = Headgate.open(url)) {
            headgate.policies()
                    .gate(
                            "k:*",
                            gate -> gate.limit(rate(1).per(Duration.ofHours(1)).burst(1)));
            headgate.handle(WorkerProcess.NOOP, (payload, job) -> {
                if (payload.n() == FREE) {
                    startedAt[0] = System.nanoTime();
                    started.countDown();
                } else {
                    spent.countDown();
                }
            });
            enqueue(headgate, IntStream.range(0, keys));
            try (Worker worker = headgate.worker("q").slots(500).start()) {
                spent.await();
                worker.awaitIdle(Duration.ofMinutes(1));
            }
            millis = kind.equals("warm")
                    ? warm(headgate, keys, slots, started, startedAt)
                    : cold(headgate, keys, slots, started, startedAt);
        }
        stores.discard(url);
        return millis;
    }

    private static double warm(Headgate headgate, int keys, int slots, CountDownLatch started, long[] startedAt)
            throws InterruptedException {
        try (Worker worker = headgate.worker("q").slots(slots).start()) {
            worker.awaitIdle(Duration.ofMinutes(1));
            enqueue(headgate, IntStream.range(0, keys));
            long from = System.nanoTime();
            enqueue(headgate, IntStream.of(FREE));
            await(started);
            return (startedAt[0] - from) / 1e6;
        }
    }

    private static double cold(Headgate headgate, int keys, int slots, CountDownLatch started, long[] startedAt)
            throws InterruptedException {
        enqueue(headgate, IntStream.range(0, keys));
        enqueue(headgate, IntStream.of(FREE));
        long from = System.nanoTime();
        try (Worker ignored = headgate.worker("q").slots(slots).start()) {
            await(started);
            return (startedAt[0] - from) / 1e6;
        }
    }

    private static void await(CountDownLatch started) throws InterruptedException {
        if (!started.await(5, TimeUnit.MINUTES)) {
            throw new IllegalStateException("the free key's job did not start within five minutes");
        }
    }

    private static void enqueue(Headgate headgate, IntStream keys) {
        List<Nothing> payloads = keys.mapToObj(Nothing::new).toList();
        for (int from = 0; from < payloads.size(); from += 1_000) {
            headgate.enqueueAll(
                    WorkerProcess.NOOP,
                    payloads.subList(from, Math.min(payloads.size(), from + 1_000)),
                    (payload, job) -> job.queue("q").gate("k:" + payload.n()));
        }
    }
}
