package dev.headgate.internal.resource;

import dev.headgate.internal.admission.ClaimPlan.Head;
import dev.headgate.internal.admission.ClaimPlan.Unfit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a worker remembers of the jobs that did not fit: how many, so that it reads jobs behind them, and since when, so
 * that none of them waits for ever behind smaller ones. No clock; not thread-safe.
 */
public final class PassedOver {
    /** The most jobs that do not fit and are read past. */
    public static final int SIGHT_MAX = 512;

    /** After this time capacity is kept for the oldest: younger jobs get what is left beside it. */
    public static final long PATIENCE_NANOS = 5_000_000_000L;

    /** A job that was not met for this long has gone to another worker. */
    private static final long MEMORY_NANOS = 3_000_000_000L;

    private static final int SIGHT_MIN = 8;

    private final Map<Long, Passed> jobs = new HashMap<>();
    private Set<Long> latest = Set.of();
    private Set<String> lanes = Set.of();
    private int sight;

    private record Passed(Head head, long since, long seen) {}

    /**
     * Notes what a turn passed over; returns whether to look again at once, further.
     *
     * @param isBeyondSight more jobs may stand behind them
     */
    public boolean note(List<Unfit> unfit, boolean isBeyondSight, long now) {
        Set<Long> met = new HashSet<>();
        Set<String> metLanes = new HashSet<>();
        for (Unfit each : unfit) {
            Head head = each.head();
            met.add(head.job());
            metLanes.add(each.lane());
            jobs.merge(head.job(), new Passed(head, now, now), (old, fresh) -> new Passed(head, old.since(), now));
        }
        jobs.values().removeIf(passed -> now - passed.seen() > MEMORY_NANOS);
        latest = met;
        lanes = metLanes;
        int before = sight;
        sight = Math.min(SIGHT_MAX, isBeyondSight ? Math.max(SIGHT_MIN, 2 * unfit.size()) : unfit.size());
        return isBeyondSight && sight > before;
    }

    /** This job has started here. */
    public void started(long job) {
        if (!jobs.isEmpty()) {
            jobs.remove(job);
        }
    }

    public int sight() {
        return sight;
    }

    /** How many the latest turn passed over. */
    public int size() {
        return latest.size();
    }

    /** Whether the latest turn passed over this job. */
    public boolean hasPassed(long job) {
        return latest.contains(job);
    }

    /** Whether the latest turn passed over the first job of this lane. */
    public boolean hasPassedLane(String lane) {
        return lanes.contains(lane);
    }

    Set<Long> latest() {
        return latest;
    }

    Set<String> lanes() {
        return lanes;
    }

    /** The oldest of those that have waited too long and would ever fit; absent if there is none. */
    @Nullable
    Head overdue(long now, Predicate<Head> canEverFit) {
        Head oldest = null;
        for (Passed passed : jobs.values()) {
            boolean isOverdue = now - passed.since() >= PATIENCE_NANOS;
            if (isOverdue && (oldest == null || isBefore(passed.head(), oldest)) && canEverFit.test(passed.head())) {
                oldest = passed.head();
            }
        }
        return oldest;
    }

    static boolean isBefore(Head one, Head other) {
        return one.rank() != other.rank() ? one.rank() < other.rank() : one.job() < other.job();
    }
}
