package dev.headgate.status;

import java.time.Instant;
import java.util.List;

/**
 * What else a store holds, and how long its queues have waited.
 *
 * @param runs runs of workflows and machines, live and ended, without those that belong to another run
 * @param results jobs in history that have a result
 * @param artifacts texts that steps of runs have kept
 * @param oldest of each queue with jobs that are due: the one that has waited longest
 */
public record Totals(Counted runs, Counted results, Counted artifacts, List<Oldest> oldest) {
    /** As far as these are looked at, unless they are counted to the end. */
    public static final int LOOK_MAX = 10_000;

    /**
     * A figure.
     *
     * @param isMore it was counted only so far: there are at least so many
     */
    public record Counted(long count, boolean isMore) {}

    /**
     * The job of a queue that has waited longest.
     *
     * @param since when it was due
     * @param isAtLeast only the jobs with the lowest numbers and the first of some lanes were looked at: another may be older
     */
    public record Oldest(String queue, Instant since, boolean isAtLeast) {}
}
