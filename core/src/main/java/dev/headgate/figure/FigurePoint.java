package dev.headgate.figure;

import java.time.Instant;
import java.util.Map;

/**
 * The figures of one interval.
 *
 * @param at when it begins, in store time; it is as long as the step of its report
 * @param counts what happened in it
 * @param inUse how many jobs ran at the end of it; of an interval of several, the most at one of their ends
 * @param refused how often a lane was turned away, by the limit in its text form, such as {@code concurrency 3}, or by one word for
 *     another reason, such as {@code line} if others waited before it; the rules beyond the eight most frequent are {@code other}
 * @param waited how long jobs had waited when they started, since they were due
 * @param ran how long attempts took, from the start of their lease to its end in the store
 */
public record FigurePoint(
        Instant at, Counts counts, long inUse, Map<String, Long> refused, Histogram waited, Histogram ran) {
    /**
     * What happened in an interval.
     *
     * @param enqueued new jobs
     * @param started attempts that began
     * @param units what these cost here
     * @param succeeded attempts that succeeded
     * @param failed attempts after which their jobs failed for good
     * @param retried attempts that failed and are tried again
     * @param cancelled attempts that were cancelled
     * @param lost attempts whose worker was lost
     * @param handedBack attempts that came back without having counted: pushed back, started too late, parked, or given back by a
     *     worker that stopped
     */
    public record Counts(
            long enqueued,
            long started,
            long units,
            long succeeded,
            long failed,
            long retried,
            long cancelled,
            long lost,
            long handedBack) {
        /** Attempts that ended, however. */
        public long ended() {
            return succeeded + failed + retried + cancelled + lost + handedBack;
        }
    }

    public FigurePoint {
        refused = Map.copyOf(refused);
    }

    /** How often a lane was turned away here, for whatever reason. */
    public long refusals() {
        return refused.values().stream().mapToLong(Long::longValue).sum();
    }
}
