package dev.headgate.benchmarks.versus;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;

/** One entrant in one round, in a process of its own. It warms up on as many jobs, then it counts. */
final class Trial {
    /** How long a stretch of enqueuing lasts. */
    static final int SECONDS = Integer.getInteger("seconds", 5);

    private static final long WARM_UP_FIRST = 1_000_000_000L;

    /** Does some work with the numbers from one on, and answers the next that is free. */
    private interface Step {
        long from(long number) throws Exception;
    }

    private record Stretch(long first, long next, double seconds) {
        long jobs() {
            return next - first;
        }
    }

    private final Entry entry;
    private final String url;
    private final int amount;

    Trial(Entry entry, String url, int amount) {
        this.entry = entry;
        this.url = url;
        this.amount = amount;
    }

    /** Arguments: phase, entrant, load, URL, amount. Says one line for each figure, or why there is none. */
    public static void main(String[] args) {
        // The figures of an orphan would not be read.
        var unused = ProcessHandle.current()
                .parent()
                .map(parent ->
                        parent.onExit().thenRun(() -> Runtime.getRuntime().halt(1)));
        try {
            Entry entry = new Entry(Entrant.valueOf(args[1]), Load.valueOf(args[2]));
            Trial trial = new Trial(entry, args[3], Integer.parseInt(args[4]));
            Outcome.of(trial.run(Contest.Phase.valueOf(args[0]))).print(System.out);
        } catch (Throwable failed) {
            failed.printStackTrace();
            Outcome.failed(failed.toString()).print(System.out);
        }
        System.out.flush();
        // Some leave threads behind that would keep the process.
        Runtime.getRuntime().halt(0);
    }

    Map<Figure, Double> run(Contest.Phase phase) throws Exception {
        return switch (phase) {
            case DRAIN -> drain();
            case ENQUEUE -> enqueue();
            case LATENCY -> Latencies.measure(entry, url);
            case SERVE -> Latencies.serve(entry, url);
        };
    }

    private Map<Figure, Double> drain() throws Exception {
        // As long as what counts: a worker that has served for an hour is compiled.
        int warmUp = amount;
        fill(WARM_UP_FIRST, warmUp);
        empty(WARM_UP_FIRST, warmUp);
        fill(0, amount);
        analyze();
        Spending before = Spending.take(url);
        double seconds = empty(0, amount);
        Map<Figure, Double> figures = before.until(Spending.take(url), amount);
        figures.put(Figure.DRAIN, amount / seconds);
        return figures;
    }

    private Map<Figure, Double> enqueue() throws Exception {
        // Calls of a size that suits Headgate and takes the slowest a second.
        int call = Math.max(500, amount / 10);
        Map<Figure, Double> figures;
        Stretch bulk;
        try (Contender contender = entry.open(url)) {
            Stretch warmUp = repeat(SECONDS / 2.0, WARM_UP_FIRST, from -> many(contender, from, call));
            repeat(SECONDS / 2.0, warmUp.next(), from -> one(contender, from));
        }
        Spending before = Spending.take(url);
        try (Contender contender = entry.open(url)) {
            bulk = repeat(SECONDS, 0, from -> many(contender, from, call));
        }
        figures = before.until(Spending.take(url), (int) bulk.jobs());
        figures.put(Figure.BULK, bulk.jobs() / bulk.seconds());
        try (Contender contender = entry.open(url)) {
            Stretch single = repeat(SECONDS, bulk.next(), from -> one(contender, from));
            figures.put(Figure.SINGLE, single.jobs() / single.seconds());
        }
        return figures;
    }

    private static long many(Contender contender, long from, int count) throws Exception {
        contender.enqueueAll(from, count);
        return from + count;
    }

    private static long one(Contender contender, long from) throws Exception {
        contender.enqueue(from);
        return from + 1;
    }

    private static Stretch repeat(double seconds, long first, Step step) throws Exception {
        long begin = System.nanoTime();
        long end = begin;
        long next = first;
        while (end - begin < seconds * 1e9) {
            next = step.from(next);
            end = System.nanoTime();
        }
        return new Stretch(first, next, (end - begin) / 1e9);
    }

    private void fill(long first, int jobs) throws Exception {
        try (Contender contender = entry.open(url)) {
            contender.enqueueAll(first, jobs);
        }
    }

    private double empty(long first, int jobs) throws Exception {
        Tally tally = new Tally(first, jobs);
        double seconds;
        try (Contender contender = entry.open(url)) {
            contender.work(tally);
            seconds = tally.awaitSeconds(contender);
        }
        tally.judge();
        return seconds;
    }

    /** A server that has run for a while knows its tables; these are seconds old. */
    private void analyze() throws SQLException {
        if (!Pools.isSqlite(url)) {
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement()) {
                statement.execute("analyze");
            }
        }
    }
}
