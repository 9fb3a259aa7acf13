package dev.headgate.benchmarks;

import dev.headgate.Headgate;
import dev.headgate.Worker;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/** What limits cost that never bind: the same drain without limits, with a limit on the queue, with one gate and five. */
final class NeverBinding {
    private static final int CHUNK = 10_000;
    private static final String WIDE = "concurrency 1000000";

    private record Shape(String queueLimit, List<String> gates) {}

    private static final Map<String, Shape> SHAPES = new LinkedHashMap<>();

    static {
        SHAPES.put("no limit", new Shape("", List.of()));
        SHAPES.put("limit on the queue", new Shape(WIDE, List.of()));
        SHAPES.put("one gate", new Shape("", List.of("a")));
        SHAPES.put("five gates", new Shape("", List.of("a", "b", "c", "d", "e")));
    }

    private NeverBinding() {}

    public static void main(String[] args) throws InterruptedException {
        int jobs = Integer.getInteger("jobs", 100_000);
        int rounds = Integer.getInteger("rounds", 5);
        try (Stores stores = new Stores(List.of(args))) {
            for (String kind : stores.kinds()) {
                Map<String, List<Double>> perSecond = new LinkedHashMap<>();
                // In turn, so that a machine that gets slower or faster does so for all of them; the first round warms
                // up.
                for (int round = 0; round <= rounds; round++) {
                    for (String name : SHAPES.keySet()) {
                        double speed = drain(stores.freshUrl(kind), Objects.requireNonNull(SHAPES.get(name)), jobs);
                        if (round > 0) {
                            perSecond
                                    .computeIfAbsent(name, unused -> new ArrayList<>())
                                    .add(speed);
                        }
                    }
                }
                double base = median(Objects.requireNonNull(perSecond.get("no limit")));
                perSecond.forEach((name, speeds) -> System.out.printf(
                        "%s, %s: %.0f/s, %.1f %% of no limit (median of %d rounds of %d jobs)%n",
                        kind, name, median(speeds), 100 * median(speeds) / base, rounds, jobs));
            }
        }
    }

    private static double median(List<Double> figures) {
        return LimitAccuracy.median(
                figures.stream().mapToDouble(Double::doubleValue).toArray());
    }

    private static double drain(String url, Shape shape, int jobs) throws InterruptedException {
        try (Headgate headgate = Headgate.open(url)) {
            if (!shape.queueLimit().isEmpty()) {
                headgate.policies().queue("q", q -> q.limits(shape.queueLimit()));
            }
            shape.gates().forEach(gate -> headgate.policies().gate(gate, g -> g.limits(WIDE)));
            CountDownLatch left = new CountDownLatch(jobs);
            headgate.handle(WorkerProcess.NOOP, (payload, job) -> left.countDown());
            for (int from = 0; from < jobs; from += CHUNK) {
                List<WorkerProcess.Nothing> payloads = IntStream.range(from, Math.min(jobs, from + CHUNK))
                        .mapToObj(WorkerProcess.Nothing::new)
                        .toList();
                headgate.enqueueAll(
                        WorkerProcess.NOOP,
                        payloads,
                        (payload, job) -> job.queue("q").gates(shape.gates()));
            }
            long begin = System.nanoTime();
            try (Worker worker = headgate.worker("q").slots(500).start()) {
                left.await();
                return jobs / ((System.nanoTime() - begin) / 1e9);
            }
        }
    }
}
