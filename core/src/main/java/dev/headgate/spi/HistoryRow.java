package dev.headgate.spi;

import dev.headgate.job.JobSpec;
import dev.headgate.job.JobState;
import org.jspecify.annotations.Nullable;

/** A job in history. */
public record HistoryRow(long id, JobSpec spec, JobState state, Times times, Leases leases, End end) {
    /** Instants in microseconds of store time. */
    public record Times(
            long enqueuedAt, long runAt, @Nullable Long startedAt, long finishedAt) {}

    /** How often it was leased, and the worker of its latest lease. */
    public record Leases(
            int attempt, int lost, long epoch, @Nullable String worker) {}

    /** How it ended. */
    public record End(@Nullable String detail, @Nullable String result) {}

    /** The same with another reason. */
    public HistoryRow withDetail(String other) {
        return new HistoryRow(id, spec, state, times, leases, new End(other, end.result));
    }
}
