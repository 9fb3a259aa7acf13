package dev.headgate.benchmarks.http;

import dev.headgate.JsonJob;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What an enqueue over HTTP costs beside the call in Java. */
final class EnqueueFigures {
    private static final int LINES = 20_000;
    private static final double AIM_SINGLE = 0.6;
    private static final int AIM_LINES = 70_000;

    private EnqueueFigures() {}

    @FunctionalInterface
    private interface Stretch {
        /** Enqueues one after another until then; returns how many. */
        long until(long nanos) throws Exception;
    }

    /** Stretches of both take turns on one store, so that what slows the machine down slows both. */
    static void single(String kind, Served served, int threads, int pairs) throws Exception {
        double[] java = new double[pairs];
        double[] http = new double[pairs];
        for (int i = -1; i < pairs; i++) { // the first pair warms up
            double inJava = perSecond(threads, end -> inJava(served, end));
            double overHttp = perSecond(threads, end -> overHttp(served, end));
            if (i >= 0) {
                java[i] = inJava;
                http[i] = overHttp;
            }
        }
        double[] ratios =
                IntStream.range(0, pairs).mapToDouble(i -> http[i] / java[i]).toArray();
        double ratio = median(ratios);
        System.out.printf(
                "%s  single enqueue, %d at once: Java %,.0f/s, HTTP %,.0f/s, medians of %d; HTTP %.0f %% (%.0f to %.0f), %s the figure of %.0f %%%n",
                kind,
                threads,
                median(java),
                median(http),
                pairs,
                100 * ratio,
                100 * Arrays.stream(ratios).min().orElse(0),
                100 * Arrays.stream(ratios).max().orElse(0),
                ratio >= AIM_SINGLE ? "within" : "UNDER",
                100 * AIM_SINGLE);
    }

    private static long inJava(Served served, long end) {
        long count = 0;
        for (; System.nanoTime() < end; count++) {
            served.headgate.enqueueJson("noop", "{\"n\":1}", job -> job.queue("single"));
        }
        return count;
    }

    private static long overHttp(Served served, long end) throws IOException {
        long count = 0;
        try (Connection connection = served.connect()) {
            for (; System.nanoTime() < end; count++) {
                connection.post("/v1/jobs", "{\"type\":\"noop\",\"payload\":{\"n\":1},\"queue\":\"single\"}");
            }
        }
        return count;
    }

    private static double perSecond(int threads, Stretch stretch) throws Exception {
        long begin = System.nanoTime();
        long end = begin + 2_000_000_000L;
        List<Callable<Long>> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            all.add(() -> stretch.until(end));
        }
        long count = 0;
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            for (Future<Long> each : pool.invokeAll(all)) {
                count += each.get();
            }
        }
        return count / ((System.nanoTime() - begin) / 1e9);
    }

    /** Lines in one body after another, and the same jobs in calls of Java of as many as the server puts into a commit. */
    static void lines(String kind, Served served, int rounds) throws Exception {
        String body = IntStream.range(0, LINES)
                .mapToObj(i -> "{\"type\":\"noop\",\"payload\":{\"n\":%d},\"queue\":\"lines\"}\n".formatted(i))
                .collect(Collectors.joining());
        double[] java = new double[rounds];
        double[] http = new double[rounds];
        try (Connection connection = served.connect()) {
            for (int round = -1; round < rounds; round++) {
                long begin = System.nanoTime();
                for (int from = 0; from < LINES; from += 1_000) {
                    served.headgate.enqueueAllJson(IntStream.range(from, from + 1_000)
                            .mapToObj(i -> new JsonJob("noop", "{\"n\":%d}".formatted(i), job -> job.queue("lines")))
                            .toList());
                }
                long middle = System.nanoTime();
                connection.post("/v1/jobs/lines", "application/x-ndjson", body);
                long end = System.nanoTime();
                if (round >= 0) {
                    java[round] = LINES / ((middle - begin) / 1e9);
                    http[round] = LINES / ((end - middle) / 1e9);
                }
            }
        }
        System.out.printf(
                "%s  lines: Java, 1,000 a call, %,.0f/s; HTTP lines %,.0f/s (%,.0f to %,.0f), medians of %d, %s the figure of %,d/s%n",
                kind,
                median(java),
                median(http),
                Arrays.stream(http).min().orElse(0),
                Arrays.stream(http).max().orElse(0),
                rounds,
                median(http) >= AIM_LINES ? "within" : "UNDER",
                AIM_LINES);
    }

    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
