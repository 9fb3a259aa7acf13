package dev.headgate.benchmarks.versus;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * From just before the call that enqueues to the first line of the handler, on a system that has nothing else to do. The number of a job is
 * the time at which it was sent, so it does not matter which process runs it.
 */
final class Latencies {
    private static final int SAMPLES_MAX = 300;
    private static final int SAMPLES_MIN = 7;
    private static final int WARM_UP_MAX = 1_000;
    private static final int POLL_MILLIS = 200;
    private static final int SLOW_POLL_MILLIS = 5_000;
    private static final int GIVE_UP_SECONDS = 60;

    /** Answers how long the next job took to start, in microseconds. */
    private interface Arrivals {
        long next() throws IOException, InterruptedException;
    }

    private Latencies() {}

    static Map<Figure, Double> measure(Entry entry, String url) throws Exception {
        Map<Figure, Double> figures = new EnumMap<>(Figure.class);
        BlockingQueue<Long> started = new LinkedBlockingQueue<>();
        try (Contender contender = entry.open(url)) {
            contender.work(sent -> started.add(micros() - sent));
            put(figures, Figure.NEAR_P50, Figure.NEAR_P99, sample(contender, () -> soon(started)));
        }
        Process other = new ProcessBuilder(Comparison.command(Contest.Phase.SERVE, entry, url, 1))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (Contender contender = entry.open(url);
                BufferedReader said = other.inputReader()) {
            expect("ready", said);
            put(figures, Figure.FAR_P50, Figure.FAR_P99, sample(contender, () -> Long.parseLong(expect("", said))));
        } finally {
            other.destroyForcibly().waitFor();
        }
        return figures;
    }

    /** The other process: says how late each job is, until it is killed. */
    static Map<Figure, Double> serve(Entry entry, String url) throws Exception {
        try (Contender contender = entry.open(url)) {
            contender.work(sent -> System.out.println("late " + (micros() - sent)));
            System.out.println("late ready");
            Thread.currentThread().join();
        }
        return Map.of();
    }

    private static String expect(String word, BufferedReader said) throws IOException {
        String line = said.readLine();
        while (line != null && !line.startsWith("late " + word)) {
            line = said.readLine();
        }
        if (line == null) {
            throw new IllegalStateException("the other process ended");
        }
        return line.substring("late ".length());
    }

    private static long soon(BlockingQueue<Long> started) throws InterruptedException {
        Long micros = started.poll(GIVE_UP_SECONDS, TimeUnit.SECONDS);
        if (micros == null) {
            throw new IllegalStateException("no start within %d seconds".formatted(GIVE_UP_SECONDS));
        }
        return micros;
    }

    /**
     * One job at a time, after pauses of uneven length, longer than any poll: a job that always came just after a poll would
     * always wait longest.
     */
    private static long[] sample(Contender contender, Arrivals arrivals) throws Exception {
        Random pauses = new Random(7);
        long warmUntil = System.nanoTime() + TimeUnit.SECONDS.toNanos(Trial.SECONDS);
        for (int i = 0; i < WARM_UP_MAX && System.nanoTime() < warmUntil; i++) {
            contender.enqueue(micros());
            arrivals.next();
            Thread.sleep(5);
        }
        List<Long> samples = new ArrayList<>();
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(2L * Trial.SECONDS);
        while (samples.size() < SAMPLES_MIN || (samples.size() < SAMPLES_MAX && System.nanoTime() < until)) {
            Thread.sleep(5 + pauses.nextInt(isSlow(samples) ? SLOW_POLL_MILLIS : POLL_MILLIS));
            contender.enqueue(micros());
            samples.add(arrivals.next());
        }
        return samples.stream().mapToLong(Long::longValue).sorted().toArray();
    }

    private static boolean isSlow(List<Long> samples) {
        return !samples.isEmpty() && samples.getLast() > POLL_MILLIS * 1_000L;
    }

    private static void put(Map<Figure, Double> figures, Figure middle, Figure high, long[] sorted) {
        figures.put(middle, sorted[sorted.length / 2] / 1e3);
        figures.put(high, sorted[Math.min(sorted.length - 1, sorted.length * 99 / 100)] / 1e3);
    }

    /** Wall time: the only clock that two processes share. */
    private static long micros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    }
}
