package dev.headgate.spi;

import dev.headgate.job.JobSpec;
import dev.headgate.job.JobState;
import org.jspecify.annotations.Nullable;

/** A job in history. */
public record HistoryRow(
        long id,
        JobSpec spec,
        JobState state,
        long enqueuedAt,
        long runAt,
        @Nullable Long startedAt,
        long finishedAt,
        int attempt,
        int lost,
        long epoch,
        @Nullable String worker,
        @Nullable String detail,
        @Nullable String result) {
    /** The same with another reason. */
    public HistoryRow withDetail(String other) {
        return new HistoryRow(
                id, spec, state, enqueuedAt, runAt, startedAt, finishedAt, attempt, lost, epoch, worker, other, result);
    }
}
