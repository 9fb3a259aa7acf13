package dev.headgate.internal.query;

import dev.headgate.explain.Decision;
import dev.headgate.explain.Decision.Cause.AtLimit;
import dev.headgate.explain.Decision.Cause.Paused;
import dev.headgate.explain.Explanation;
import dev.headgate.explain.Explanation.Forecast;
import dev.headgate.explain.Explanation.GateAnswer;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobState;
import dev.headgate.limit.Concurrency;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Spans;
import dev.headgate.spi.HistoryRow;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.WorkerRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * When a waiting job will probably start. Limits that depend on time are exact. Those that wait for a release are played
 * on with the run times of jobs that ended lately: once as if all ran as long as the quickest tenth of them, once as
 * the slowest. Where there is nothing to go by, it says so.
 */
final class StartEstimate {
    /** Running jobs are looked through up to this many, or an explanation would cost as much as a recount. */
    private static final int RUNNING_MAX = 2_000;

    private static final int RUNS_READ = 200;
    private static final int RUNS_MIN = 5;

    private final StoreTransaction tx;
    private final JobRow job;
    private final int ahead;
    private final long now;

    StartEstimate(StoreTransaction tx, JobRow job, int ahead, long now) {
        this.tx = tx;
        this.job = job;
        this.ahead = ahead;
        this.now = now;
    }

    /** Running jobs that hold places of a gate, the first to have started first. */
    static List<JobRow> holders(StoreTransaction tx, GateKey gate) {
        List<Long> running = new ArrayList<>();
        for (WorkerRow worker : tx.workers().list()) {
            worker.holding().stream()
                    .limit(Math.max(0, RUNNING_MAX - running.size()))
                    .forEach(running::add);
        }
        if (running.isEmpty()) {
            return List.of();
        }
        return tx.jobs().findAll(running).stream()
                .filter(row -> row.state() == JobState.RUNNING && isAt(row, gate))
                .sorted(Comparator.comparingLong(StartEstimate::startedAt).thenComparingLong(JobRow::id))
                .toList();
    }

    private static boolean isAt(JobRow row, GateKey gate) {
        return gate.scope() == GateKey.Scope.QUEUE
                ? row.spec().lane().queue().equals(gate.name())
                : row.spec().lane().gates().contains(gate.name());
    }

    private static long startedAt(JobRow row) {
        return row.lease().startedAt() == null ? Long.MAX_VALUE : row.lease().startedAt();
    }

    Forecast forecast(List<GateAnswer> gates, @Nullable Instant earliest, boolean isServed) {
        if (earliest == null) {
            return unknown("it can never pass one of its gates");
        }
        if (tx.policies().isPaused(GateKey.queue(job.spec().lane().queue()))) {
            return unknown("queue %s is paused".formatted(job.spec().lane().queue()));
        }
        if (!isServed) {
            return unknown(
                    "no worker serves queue %s".formatted(job.spec().lane().queue()));
        }
        if (ahead >= Explanation.AHEAD_MAX) {
            return new Forecast(earliest, null, "too many wait before it to reckon further");
        }
        GateAnswer full = null;
        for (GateAnswer gate : gates) {
            boolean isFull = waitsForRelease(gate);
            if (isFull && full != null) {
                return new Forecast(earliest, null, "several of its gates wait for a release");
            }
            full = isFull ? gate : full;
        }
        if (full != null && full.decision() instanceof Decision.Blocked blocked && blocked.cause() instanceof Paused) {
            return unknown("%s is paused".formatted(full.gate()));
        }
        if (gates.stream().anyMatch(gate -> gate.line().share() != null)) {
            return new Forecast(earliest, null, "shares take turns; when it is this one's is not reckoned");
        }
        if (full != null) {
            return byRunTimes(full, earliest);
        }
        boolean isAlone = gates.stream().allMatch(gate -> gate.line().lanesBefore() == 0);
        boolean isByCost =
                gates.stream().anyMatch(gate -> gate.policy().limits().stream().anyMatch(Limit::isByCost));
        if (ahead > 0 && isByCost) {
            return new Forecast(earliest, null, "what the jobs before it cost is not reckoned");
        }
        if (!isAlone || (ahead > 0 && gates.stream().anyMatch(StartEstimate::limitsWhatRuns))) {
            return new Forecast(earliest, null, "others are before it; when they let it through is not reckoned");
        }
        return new Forecast(earliest, earliest, "the limits that depend on time, if a worker has a free slot then");
    }

    static boolean waitsForRelease(GateAnswer gate) {
        return gate.decision() instanceof Decision.Blocked blocked && blocked.next() == null;
    }

    private static boolean limitsWhatRuns(GateAnswer gate) {
        return gate.policy().limits().stream().anyMatch(Limit::opensByRelease);
    }

    private static Forecast unknown(String why) {
        return new Forecast(null, null, "nothing can be said: " + why);
    }

    /** Plays places that free up: each is taken by the next in line for as long as jobs of that kind run. */
    private Forecast byRunTimes(GateAnswer gate, Instant earliest) {
        boolean isConcurrency = gate.decision() instanceof Decision.Blocked blocked
                && blocked.cause() instanceof AtLimit full
                && full.limit() instanceof Concurrency;
        if (!isConcurrency) {
            return new Forecast(earliest, null, "when %s frees enough is not reckoned".formatted(gate.gate()));
        }
        List<JobRow> holders = holders(tx, gate.gate());
        if (holders.size() < gate.use().leases()) {
            return new Forecast(earliest, null, "not all jobs that hold places at %s are known".formatted(gate.gate()));
        }
        Set<String> types = new TreeSet<>();
        holders.forEach(row -> types.add(row.spec().type()));
        long[] runs = recentRuns(types);
        if (runs.length < RUNS_MIN) {
            return new Forecast(
                    earliest,
                    null,
                    "only %d run%s of %s ended lately"
                            .formatted(runs.length, runs.length == 1 ? "" : "s", words(types)));
        }
        int before = ahead + gate.line().lanesBefore();
        Instant from = Micros.instant(played(holders, before, runs[runs.length / 10]));
        Instant to = Micros.instant(played(holders, before, runs[runs.length - 1 - runs.length / 10]));
        Duration median = Micros.duration(runs[runs.length / 2]);
        return new Forecast(
                later(from, earliest),
                later(to, earliest),
                "%d recent runs of %s, half of them shorter than %s"
                        .formatted(runs.length, words(types), rough(median)));
    }

    private static String words(Set<String> types) {
        return String.join(", ", types);
    }

    /** Without the microseconds of a span longer than a second. */
    private static String rough(Duration span) {
        return Spans.text(span.compareTo(Duration.ofSeconds(1)) < 0 ? span : Duration.ofMillis(span.toMillis()));
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private long played(List<JobRow> holders, int before, long run) {
        PriorityQueue<Long> free = new PriorityQueue<>();
        holders.forEach(row -> free.add(Math.max(now, startedAt(row) + run)));
        for (int i = 0; i < before; i++) {
            free.add(free.remove() + run);
        }
        return free.element();
    }

    /** How long jobs of these types ran that ended lately, in order. */
    private long[] recentRuns(Set<String> types) {
        List<Long> ids = tx.history().ids().list(JobFilter.all().limit(RUNS_READ));
        return tx.history().findAll(ids).stream()
                .filter(row -> row.state() == JobState.SUCCEEDED
                        && types.contains(row.spec().type()))
                .mapToLong(StartEstimate::runTime)
                .sorted()
                .toArray();
    }

    private static long runTime(HistoryRow row) {
        return row.times().startedAt() == null
                ? 0
                : Math.max(0, row.times().finishedAt() - row.times().startedAt());
    }
}
