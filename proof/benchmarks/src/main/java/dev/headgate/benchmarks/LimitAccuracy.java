package dev.headgate.benchmarks;

import dev.headgate.evidence.Certificate;
import dev.headgate.evidence.Verification;
import dev.headgate.internal.evidence.Replay;
import dev.headgate.internal.job.JobStore;
import dev.headgate.job.Cost;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Worker processes under each kind of limit, judged by the journal alone: starts over the limit, how much of it was used,
 * and how late a start was after the instant it became possible.
 */
final class LimitAccuracy {
    private static final Duration GATHERING = Duration.ofMinutes(5);
    private static final Duration WARM = Duration.ofSeconds(10);
    private static final int PAGE = 10_000;

    /**
     * A kind of limit to run.
     *
     * @param gates the limits of each gate that every job names
     * @param perSecond how many jobs a second they let start
     * @param millis how long each job runs
     * @param cost what it costs
     */
    private record Trial(Map<String, String> gates, int perSecond, int millis, long cost) {
        static Trial of(String limits, int perSecond) {
            return new Trial(Map.of("g", limits), perSecond, 0, 1);
        }
    }

    private static final Map<String, Trial> TRIALS = new LinkedHashMap<>();

    static {
        TRIALS.put("rate", Trial.of("rate 200/1s burst 10", 200));
        TRIALS.put("window", Trial.of("window 200/1s", 200));
        TRIALS.put("spaced", Trial.of("spaced 4/2s", 2));
        TRIALS.put("delay", Trial.of("delay 500ms", 2));
        TRIALS.put("calm", Trial.of("rate 20/1s burst 1", 20));
        TRIALS.put("rate-by-cost", new Trial(Map.of("g", "rate 1000/1s burst 50 by-cost"), 200, 0, 5));
        TRIALS.put("concurrency", new Trial(Map.of("g", "concurrency 20"), 200, 100, 1));
        TRIALS.put("budget", new Trial(Map.of("g", "budget 100"), 200, 100, 5));
        TRIALS.put("quota", Trial.of("quota 1000/hour UTC", 0));
        TRIALS.put(
                "five",
                new Trial(
                        Map.of(
                                "rate", "rate 40/1s burst 10",
                                "window", "window 50/1s",
                                "spaced", "spaced 500/1s",
                                "places", "concurrency 30",
                                "units", "budget 200"),
                        40,
                        20,
                        5));
    }

    private LimitAccuracy() {}

    public static void main(String[] args) throws InterruptedException {
        int processes = Integer.getInteger("processes", 4);
        int seconds = Integer.getInteger("seconds", 60);
        String kinds = System.getProperty("kinds", String.join(",", TRIALS.keySet()));
        try (Stores stores = new Stores(List.of(args))) {
            for (String store : stores.kinds()) {
                for (String kind : kinds.split(",", -1)) {
                    Trial trial = TRIALS.get(kind);
                    if (trial == null) {
                        throw new IllegalArgumentException(
                                "kinds: expected any of %s, got '%s'".formatted(TRIALS.keySet(), kind));
                    }
                    measure(stores.freshUrl(store), store + " " + kind, trial, processes, seconds);
                }
            }
        }
    }

    private static void measure(String url, String title, Trial trial, int processes, int seconds)
            throws InterruptedException {
        boolean isQuota = trial.perSecond() == 0;
        int jobs = isQuota ? 1_500 : trial.perSecond() * seconds;
        try (JobStore store = new JobStore(Stores.open(url))) {
            trial.gates()
                    .forEach((name, limits) ->
                            store.setPolicy(GateKey.gate(name), GatePolicy.parse(limits + "; journal 1d")));
            List<GateKey> gates =
                    trial.gates().keySet().stream().map(GateKey::gate).sorted().toList();
            // All begin together: the line is shut until every process is up and every job is there.
            store.hold(gates.getFirst(), GATHERING, "until all are here");
            List<String> names = List.copyOf(trial.gates().keySet());
            Loads.enqueue(
                    store,
                    jobs,
                    i -> Loads.job("q", names, "busy", "{\"n\":" + trial.millis() + "}", Cost.of(trial.cost())));
            List<WorkerProcess> workers = new ArrayList<>();
            try {
                for (int i = 0; i < processes; i++) {
                    workers.add(WorkerProcess.start(url, "q", 50));
                }
                store.clear(gates.getFirst());
                await(store, isQuota ? jobs - 1_000 : 0, Duration.ofSeconds(seconds * 2L + 30));
            } finally {
                workers.forEach(WorkerProcess::close);
            }
            report(store, title, gates, trial, processes);
        }
    }

    /** Until no more than so many have not ended. */
    private static void await(JobStore store, int left, Duration most) throws InterruptedException {
        long begin = System.nanoTime();
        while (Loads.live(store) > left) {
            if (System.nanoTime() - begin > most.toNanos()) {
                throw new IllegalStateException("%d jobs have not ended in %s".formatted(Loads.live(store), most));
            }
            Thread.sleep(500);
        }
    }

    private static void report(JobStore store, String title, List<GateKey> gates, Trial trial, int processes) {
        Map<Instant, List<Instant>> possible = new TreeMap<>();
        long violations = 0;
        long starts = 0;
        List<String> shares = new ArrayList<>();
        for (GateKey gate : gates) {
            Map<Instant, List<Instant>> here = new TreeMap<>();
            Verification verification = Replay.of(
                    gate,
                    after -> store.journal(gate, after, PAGE),
                    null,
                    null,
                    (key, could, at) -> here.computeIfAbsent(at, unused -> new ArrayList<>())
                            .add(could));
            here.forEach((at, instants) -> possible.merge(at, instants, LimitAccuracy::later));
            violations += verification.violations();
            for (Certificate limit : verification.limits()) {
                starts = limit.starts();
                shares.add("%s %s %%".formatted(limit.limit(), limit.usedPercent()));
            }
        }
        boolean isHeld = trial.gates().size() == 1 && trial.millis() > 0;
        System.out.printf(
                "%s: %d processes, %d starts, %d violations; used: %s%s%s%n",
                title,
                processes,
                starts,
                violations,
                String.join(", ", shares),
                isHeld ? "; held " + held(store, trial) + " %" : "",
                lateness("late", possible) + lateness("after " + WARM.toSeconds() + " s", warm(possible)));
    }

    /** The same without the first seconds, in which every process still compiles its code. */
    private static Map<Instant, List<Instant>> warm(Map<Instant, List<Instant>> possible) {
        TreeMap<Instant, List<Instant>> sorted = new TreeMap<>(possible);
        return sorted.isEmpty() ? sorted : sorted.tailMap(sorted.firstKey().plus(WARM));
    }

    /** A job may start when the last of its gates lets it. */
    private static List<Instant> later(List<Instant> one, List<Instant> other) {
        List<Instant> merged = new ArrayList<>();
        for (int i = 0; i < Math.max(one.size(), other.size()); i++) {
            Instant first = one.get(Math.min(i, one.size() - 1));
            Instant second = other.get(Math.min(i, other.size() - 1));
            merged.add(first.isAfter(second) ? first : second);
        }
        return merged;
    }

    private static String lateness(String title, Map<Instant, List<Instant>> possible) {
        List<Long> late = new ArrayList<>();
        possible.forEach((at, instants) ->
                instants.forEach(could -> late.add(Duration.between(could, at).toNanos() / 1_000)));
        if (late.isEmpty()) {
            return "";
        }
        long[] micros = late.stream().mapToLong(Long::longValue).sorted().toArray();
        return "; %s p50 %.2f ms, p99 %.2f ms, most %.2f ms of %d"
                .formatted(
                        title,
                        micros[micros.length / 2] / 1e3,
                        micros[micros.length * 99 / 100] / 1e3,
                        micros[micros.length - 1] / 1e3,
                        micros.length);
    }

    /** How much of the places was taken between the first start and the last, by what each job says of itself. */
    private static BigDecimal held(JobStore store, Trial trial) {
        List<long[]> runs = new ArrayList<>();
        JobFilter rest = JobFilter.all().state(JobState.SUCCEEDED).limit(JobFilter.LIMIT_MAX);
        List<JobStatus> page;
        do {
            page = store.list(rest);
            page.forEach(job -> runs.add(new long[] {
                micros(Objects.requireNonNull(job.times().startedAt())),
                micros(Objects.requireNonNull(job.times().finishedAt()))
            }));
            rest = page.isEmpty() ? rest : rest.before(page.getLast().id());
        } while (page.size() == JobFilter.LIMIT_MAX);
        long[] starts = runs.stream().mapToLong(run -> run[0]).sorted().toArray();
        long end = starts[starts.length - 1];
        long taken =
                runs.stream().mapToLong(run -> Math.min(run[1], end) - run[0]).sum();
        int places =
                Integer.parseInt(Objects.requireNonNull(trial.gates().get("g")).split(" ", -1)[1]) / (int) trial.cost();
        return BigDecimal.valueOf(taken * 100)
                .divide(BigDecimal.valueOf((end - starts[0]) * places), 2, RoundingMode.DOWN);
    }

    private static long micros(Instant instant) {
        return Duration.between(Instant.EPOCH, instant).toNanos() / 1_000;
    }

    static double median(double[] figures) {
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
