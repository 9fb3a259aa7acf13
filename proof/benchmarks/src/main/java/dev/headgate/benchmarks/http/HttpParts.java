package dev.headgate.benchmarks.http;

import dev.headgate.limit.Limit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/** The parts of {@code ./check bench http}, each on a fresh store. */
public final class HttpParts {
    private static final Path CLIENTS = Path.of("clients");
    private static final int FIGURE_MILLIS = 200;

    private HttpParts() {}

    /** Puts jobs into a store from within the database. */
    @FunctionalInterface
    public interface Filling {
        void fill(String url, long waiting, long ended);
    }

    /** Runs those parts that {@code -Dparts} names, or all. */
    public static void run(String kind, Supplier<String> freshUrl, Filling filling) throws Exception {
        List<String> parts = List.of(
                System.getProperty("parts", "single,lines,workers,lists,attack").split(",", -1));
        for (String part : parts) {
            try (Served served = new Served(freshUrl.get())) {
                switch (part) {
                    case "single" -> {
                        EnqueueFigures.single(kind, served, 1, Integer.getInteger("pairs", 5));
                        EnqueueFigures.single(kind, served, 8, Integer.getInteger("pairs", 5));
                    }
                    case "lines" -> EnqueueFigures.lines(kind, served, Integer.getInteger("rounds", 11));
                    case "workers" -> workers(kind, served);
                    case "lists" -> lists(kind, served, filling);
                    case "attack" ->
                        Attack.run(
                                kind,
                                served,
                                1_000,
                                Integer.getInteger("slow", 200),
                                Integer.getInteger("seconds", 10));
                    default ->
                        throw new IllegalArgumentException(
                                "parts: expected single, lines, workers, lists or attack, got '%s'".formatted(part));
                }
            }
        }
    }

    private static void workers(String kind, Served served) throws IOException, InterruptedException {
        int jobs = Integer.getInteger("jobs", 30_000);
        int slots = Integer.getInteger("slots", 200);
        Path python = CLIENTS.resolve("python/tests/drain_process.py");
        Path node = CLIENTS.resolve("typescript/tests/drain_process.mjs");
        if (ClientDrain.has("python3")) {
            ClientDrain.run(kind, served, "python3", python, jobs, slots);
        }
        if (ClientDrain.has("node")) {
            ClientDrain.run(kind, served, "node", node, jobs, slots);
        }
    }

    private static void lists(String kind, Served served, Filling filling) throws IOException {
        long waiting = Long.getLong("waiting", 5_000_000);
        long ended = Long.getLong("finished", 10_000_000);
        served.headgate.policies().gate("k*", gate -> gate.limit(Limit.concurrency(1)));
        filling.fill(served.url, waiting, ended);
        try (Connection connection = served.connect()) {
            String first = connection.get("/v1/jobs?state=queued&limit=1");
            String id = first.replaceFirst("(?s).*?\"id\":(\\d+).*", "$1");
            for (String path : List.of(
                    "/v1/jobs",
                    "/v1/jobs?queue=q&state=queued",
                    "/v1/jobs?type=type3&state=succeeded",
                    "/v1/jobs?type=none",
                    "/v1/jobs/" + id + "/explain")) {
                double[] millis = new double[11];
                for (int i = 0; i < millis.length; i++) {
                    long begin = System.nanoTime();
                    connection.get(path);
                    millis[i] = (System.nanoTime() - begin) / 1e6;
                }
                double median = EnqueueFigures.median(millis);
                System.out.printf(
                        "%s  %,d waiting, %,d ended: %-40s median %.1f ms, %s the figure of %d ms%n",
                        kind, waiting, ended, path, median, median < FIGURE_MILLIS ? "within" : "OVER", FIGURE_MILLIS);
            }
        }
    }
}
