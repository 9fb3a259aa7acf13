package dev.headgate.status;

import dev.headgate.job.JobState;

/**
 * Jobs of one queue in one state.
 *
 * @param isMore they were counted only so far: there are at least so many
 */
public record QueueCount(String queue, JobState state, long jobs, boolean isMore) {
    /** As far as listings count. */
    public static final int COUNTED_MAX = 10_000;

    public QueueCount(String queue, JobState state, long jobs) {
        this(queue, state, jobs, false);
    }
}
