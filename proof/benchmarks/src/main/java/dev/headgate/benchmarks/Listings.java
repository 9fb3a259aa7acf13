package dev.headgate.benchmarks;

import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.internal.query.BacklogStore;
import dev.headgate.internal.resource.ResourceStore;
import dev.headgate.internal.workflow.RunStore;
import dev.headgate.job.JobCursor;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import dev.headgate.run.RunFilter;
import dev.headgate.spi.WorkerRow;
import dev.headgate.status.Totals;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * How long the store takes for what the listings of the command line ask, with millions of jobs waiting and ended. The start
 * of the command's own process is not in it.
 */
final class Listings {
    private static final int KEYS = Integer.getInteger("keys", 10_000);
    /** A gate at which half of the jobs wait, each of as many keys in a lane of its own. */
    private static final String LINE = "provider";

    private static final double FIGURE_MILLIS = 200;

    private static final int TIMES = Integer.getInteger("times", 11);

    private Listings() {}

    public static void main(String[] args) {
        long waiting = Long.getLong("waiting", 5_000_000);
        long finished = Long.getLong("finished", 10_000_000);
        try (Stores stores = new Stores(List.of(args))) {
            for (String kind : stores.kinds()) {
                String url = stores.freshUrl(kind);
                long begin = System.nanoTime();
                try (JobStore store = new JobStore(Stores.open(url))) {
                    store.setPolicy(GateKey.gate("k*"), GatePolicy.of(Limit.concurrency(1)));
                    try (Fill fill = new Fill(url)) {
                        fill.ended(finished)
                                .scheduled(Math.max(1, waiting / 50))
                                .blocked(waiting / 2, KEYS)
                                .inLine(waiting - waiting / 2, KEYS, LINE)
                                .settled();
                    }
                    Loads.enqueue(store, 100, "q", i -> List.of("k-open" + i));
                    System.out.printf(
                            "%s: %,d waiting, %,d ended, filled in %d s%n",
                            kind, waiting, finished, (System.nanoTime() - begin) / 1_000_000_000);
                    measure(kind, store);
                }
            }
        }
    }

    private static void measure(String kind, JobStore store) {
        store.register(new WorkerRow("w", "w", List.of("q"), 50, 0, 0, List.of()), Duration.ofHours(1), List.of());
        long running = store.turnaround(new TurnRequest("w", List.of("q"), 50, List.of()))
                .started()
                .getFirst()
                .id();
        BacklogStore backlog = new BacklogStore(store.backend());
        Map<String, Runnable> listings = new LinkedHashMap<>();
        listings.put("status, queues, gates", () -> store.overview(1_000));
        listings.put("backlog", () -> backlog.read(List.of(), 1_000));
        listings.put("workers", backlog::workers);
        listings.put("types", () -> new ResourceStore(store.backend()).types());
        listings.put("workflow list", () -> new RunStore(store.backend()).list(RunFilter.all()));
        JobFilter all = JobFilter.all().limit(20);
        listings.put("jobs", () -> store.page(all));
        listings.put("jobs --queue q", () -> store.page(all.queue("q")));
        listings.put("jobs --queue none", () -> store.page(all.queue("none")));
        listings.put("jobs --type type3", () -> store.page(all.type("type3")));
        listings.put("jobs --type none", () -> store.page(all.type("none")));
        for (JobState state : JobState.values()) {
            String name = state.name().toLowerCase(Locale.ROOT);
            listings.put("jobs --state " + name, () -> store.page(all.state(state)));
            listings.put(
                    "jobs --type none --state " + name,
                    () -> store.page(all.type("none").state(state)));
        }
        List<Long> queued = store.page(all.state(JobState.QUEUED)).jobs().stream()
                .map(job -> job.id().value())
                .toList();
        listings.put("explain, the last in its lane", () -> store.explain(new JobId(queued.getFirst())));
        listings.put("explain, running", () -> store.explain(new JobId(running)));
        gates(store, all, listings);
        double[] worst = {0};
        listings.forEach((name, listing) -> {
            double[] millis = millis(listing);
            worst[0] = Math.max(worst[0], millis[millis.length / 2]);
            System.out.printf(
                    Locale.ROOT,
                    "%s  %-40s median %8.1f ms, worst %8.1f ms%n",
                    kind,
                    name,
                    millis[millis.length / 2],
                    millis[millis.length - 1]);
        });
        System.out.printf(
                Locale.ROOT,
                "%s  the slowest median: %.1f ms, %s the figure of %.0f ms%n",
                kind,
                worst[0],
                worst[0] < FIGURE_MILLIS ? "within" : "OVER",
                FIGURE_MILLIS);
    }

    /** Who holds gates, and who waits. */
    private static void gates(JobStore store, JobFilter all, Map<String, Runnable> listings) {
        BacklogStore backlog = new BacklogStore(store.backend());
        listings.put("totals: runs, results, artifacts, oldest", () -> backlog.totals(Totals.LOOK_MAX));
        listings.put("jobs --gate " + LINE, () -> store.page(all.gate(LINE)));
        listings.put("jobs --gate none", () -> store.page(all.gate("none")));
        listings.put("jobs --gate k7 --holding", () -> store.page(all.holding("k7")));
        listings.put("jobs --gate k7 --waiting", () -> store.page(all.waiting("k7")));
        JobFilter line = all.waiting(LINE);
        listings.put("jobs --gate " + LINE + " --waiting", () -> store.page(line));
        JobCursor middle = middle(store, line);
        listings.put("the same, a page further on", () -> store.page(line.after(middle)));
        listings.put("the same, 1000 jobs", () -> store.page(line.limit(JobFilter.LIMIT_MAX)));
        listings.put("the same, of a type that none has", () -> store.page(line.type("none")));
    }

    /** Behind the first job of each lane, where every lane must be asked for its next one. */
    private static JobCursor middle(JobStore store, JobFilter line) {
        JobCursor at = JobCursor.behind(Long.MIN_VALUE, 0);
        for (int page = 0; page <= KEYS / JobFilter.LIMIT_MAX; page++) {
            at = Objects.requireNonNullElse(
                    store.page(line.limit(JobFilter.LIMIT_MAX).after(at)).next(), at);
        }
        return at;
    }

    private static double[] millis(Runnable listing) {
        double[] millis = new double[TIMES];
        for (int i = 0; i < TIMES; i++) {
            long begin = System.nanoTime();
            listing.run();
            millis[i] = (System.nanoTime() - begin) / 1e6;
        }
        Arrays.sort(millis);
        return millis;
    }
}
