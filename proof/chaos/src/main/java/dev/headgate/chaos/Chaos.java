package dev.headgate.chaos;

import dev.headgate.Headgate;
import dev.headgate.evidence.Certificate;
import dev.headgate.job.JobState;
import dev.headgate.limit.GateKey;
import dev.headgate.status.Overview;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@code ./check chaos}: several worker processes on a real store while things break, then a verdict. Storms alternate with
 * quiet stretches, in which counters are recounted and the use of the allowed rate is measured.
 */
final class Chaos {
    private static final Duration STORM_MAX = Duration.ofSeconds(60);
    private static final Duration QUIET = Duration.ofSeconds(5);
    private static final long DRAIN_SECONDS = 240;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Options options;
    private final Folder folder;
    private final Report report;
    private final Random random;
    private final Map<Long, Judge.Ending> endings = new HashMap<>();
    private final List<Double> used = new ArrayList<>();

    private Chaos(Options options, String store, Path root) {
        this.options = options;
        this.folder = Folder.fresh(root);
        this.report = new Report("chaos on %s, %s, seed %d".formatted(store, options.time(), options.seed()));
        this.random = new Random(options.seed());
    }

    public static void main(String[] args) throws Exception {
        Options options;
        try {
            options = Options.parse(args);
        } catch (IllegalArgumentException wrong) {
            System.err.println(wrong.getMessage());
            System.exit(2);
            return;
        }
        boolean isGood = true;
        for (String store : options.stores()) {
            Path kept = options.folder();
            Path root = kept == null ? Files.createTempDirectory("headgate-chaos-" + store + "-") : kept.resolve(store);
            System.out.printf("chaos on %s for %s, seed %d, in %s%n", store, options.time(), options.seed(), root);
            Report report = run(options, store, root);
            System.out.println(report);
            isGood &= report.isGood();
            if (report.isGood() && kept == null) {
                Shell.run("rm", "-rf", root.toString());
            } else {
                System.out.printf(
                        "logs and histories: %s; the same faults again: --store %s --seed %d%n",
                        root, store, options.seed());
            }
        }
        System.exit(isGood ? 0 : 1);
    }

    /** One run on one store, in an empty folder. */
    static Report run(Options options, String store, Path root) throws Exception {
        Chaos chaos = new Chaos(options, store, root);
        try (Target target =
                store.equals("sqlite") ? new SqliteTarget(chaos.folder) : new PostgresTarget(chaos.folder)) {
            chaos.run(target);
        }
        return chaos.report;
    }

    private void run(Target target) throws Exception {
        try (Headgate headgate = Headgate.open(target.url())) {
            Load.policies(headgate, 0);
        }
        try (Fleet fleet = new Fleet(target.url(), folder, random, target::clock)) {
            fleet.start();
            if (!fleet.awaitAll(60)) {
                throw new IllegalStateException("expected all workers to start; see the logs in " + folder.root());
            }
            Storm storm = new Storm(target, fleet, random);
            long end = System.nanoTime() + options.time().toNanos();
            while (end - System.nanoTime() > 0) {
                Duration left = Duration.ofNanos(end - System.nanoTime());
                storm.blow(left.compareTo(STORM_MAX) < 0 ? left : STORM_MAX);
                quiet(target, fleet, storm.mood());
                System.out.printf(
                        "  %s left, %s%n",
                        Duration.ofSeconds(Math.max(0, (end - System.nanoTime()) / 1_000_000_000)), storm.done());
            }
            report.faults(storm.done(), target.skipped());
            report.count("processes started", fleet.starts());
            report.count("of them in containers", fleet.isContained() ? fleet.starts() : 0);
            recovery(target, fleet);
            drain(target, fleet);
        }
        try (Headgate headgate = Headgate.open(target.url())) {
            new Judge(headgate, folder, report).conclude(endings);
        }
        if (!used.isEmpty()) {
            report.figure(
                    "%% of the allowed rate was used between storms (mean of %d stretches of %ds; least %.1f)"
                            .formatted(
                                    used.size(),
                                    QUIET.toSeconds(),
                                    used.stream()
                                            .mapToDouble(each -> each)
                                            .min()
                                            .orElse(0)),
                    "%.1f"
                            .formatted(used.stream()
                                    .mapToDouble(each -> each)
                                    .average()
                                    .orElse(0)));
        }
    }

    /** Lets things calm down, then looks. */
    private void quiet(Target target, Fleet fleet, int mood) {
        if (!fleet.awaitAll(60)) {
            report.find("liveness", "workers did not come back within a minute");
        }
        try (Headgate headgate = Headgate.open(target.url())) {
            pause(Load.LEASE.multipliedBy(2));
            Instant from = headgate.overview().at();
            pause(QUIET);
            Instant to = headgate.overview().at();
            headgate.evidence().verify(GateKey.gate(Load.API), from, to).limits().stream()
                    .filter(limit -> limit.limit().startsWith("rate"))
                    .forEach(limit -> used.add(percent(limit, Load.rate(mood))));
            Judge.checkpoint(headgate, endings, report);
        }
    }

    /** Between the first and the last start, so that a burst that was saved up does not count as allowed. */
    private static double percent(Certificate limit, int rate) {
        double seconds = Duration.between(limit.from(), limit.to()).toNanos() / 1e9;
        return seconds < 1 ? 0 : Math.min(100, 100 * limit.starts() / (seconds * rate + 1));
    }

    /** Kills all workers but one, and measures how long their places stay taken. */
    private void recovery(Target target, Fleet fleet) throws InterruptedException {
        fleet.awaitAll(60);
        try (Headgate headgate = Headgate.open(target.url())) {
            Set<String> before = ids(headgate);
            List<Jvm> running = fleet.running();
            long began = System.nanoTime();
            for (Jvm jvm : running.subList(1, running.size())) {
                jvm.kill();
            }
            long until = began + TimeUnit.SECONDS.toNanos(60);
            while (!isRecovered(headgate, before) && until - System.nanoTime() > 0) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
            double seconds = (System.nanoTime() - began) / 1e9;
            double bound = Load.LEASE.toMillis() / 1e3 * 4 / 3;
            report.figure(
                    "s until the places of killed workers were free again (lease + 2 sweeps: %.2f s)".formatted(bound),
                    "%.2f".formatted(seconds));
            if (until - System.nanoTime() <= 0) {
                report.find("I12 no orphan", "places of killed workers were still taken after a minute");
            }
        }
    }

    private static Set<String> ids(Headgate headgate) {
        return headgate.overview().workers().stream()
                .map(Overview.WorkerView::id)
                .collect(Collectors.toSet());
    }

    private static boolean isRecovered(Headgate headgate, Set<String> before) {
        Set<String> left = ids(headgate);
        left.retainAll(before);
        return left.size() <= 1;
    }

    /** No more faults and no more jobs: everything must come to its end. */
    private void drain(Target target, Fleet fleet) throws InterruptedException {
        fleet.stopClient();
        try (Headgate headgate = Headgate.open(target.url())) {
            long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(DRAIN_SECONDS);
            long live = live(headgate);
            while (live > 0 && until - System.nanoTime() > 0) {
                LockSupport.parkNanos(LOOK_NANOS * 4);
                live = live(headgate);
            }
            if (live > 0) {
                report.find(
                        "liveness", "%d jobs had not ended %d s after the last fault".formatted(live, DRAIN_SECONDS));
            }
        }
        fleet.awaitAll(60); // one that is only starting would be killed, and none would be left to notice
        int stuck = fleet.stopWorkers();
        if (stuck > 0) {
            report.find("I29 shutdown", "%d workers did not end within 15 s of SIGTERM".formatted(stuck));
        }
    }

    private static long live(Headgate headgate) {
        return headgate.overview().jobs().stream()
                .filter(count -> !count.state().isTerminal() && count.state() != JobState.PARKED)
                .mapToLong(count -> count.jobs())
                .sum();
    }

    private static void pause(Duration time) {
        long until = System.nanoTime() + time.toNanos();
        while (until - System.nanoTime() > 0) {
            LockSupport.parkNanos(until - System.nanoTime());
        }
    }

    /**
     * What to do.
     *
     * @param stores {@code sqlite}, {@code postgres}
     * @param folder where to keep logs and histories; absent means that those of a good run are deleted
     */
    record Options(
            Duration time,
            List<String> stores,
            long seed,
            @Nullable Path folder) {
        private static final String USAGE =
                "usage: [--minutes N | --seconds N] [--store sqlite|postgres] [--seed S] [--folder EMPTY]";

        static Options parse(String... args) {
            Duration time = Duration.ofMinutes(2);
            List<String> stores = List.of("sqlite", "postgres");
            long seed = System.nanoTime() & 0xffffff;
            Path folder = null;
            for (int i = 0; i < args.length; i += 2) {
                if (i + 1 == args.length) {
                    throw new IllegalArgumentException("chaos: %s needs a value; %s".formatted(args[i], USAGE));
                }
                String value = args[i + 1].toLowerCase(Locale.ROOT);
                switch (args[i]) {
                    case "--minutes" -> time = Duration.ofSeconds(Math.round(Double.parseDouble(value) * 60));
                    case "--seconds" -> time = Duration.ofSeconds(Long.parseLong(value));
                    case "--store" -> {
                        if (!stores.contains(value)) {
                            throw new IllegalArgumentException("chaos: no store '%s'; %s".formatted(value, USAGE));
                        }
                        stores = List.of(value);
                    }
                    case "--folder" -> folder = Path.of(args[i + 1]);
                    case "--seed" -> seed = Long.parseLong(value);
                    default ->
                        throw new IllegalArgumentException("chaos: no option '%s'; %s".formatted(args[i], USAGE));
                }
            }
            return new Options(time, stores, seed, folder);
        }
    }
}
