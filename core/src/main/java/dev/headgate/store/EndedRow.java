package dev.headgate.store;

import dev.headgate.job.JobSpec;
import dev.headgate.job.JobState;
import org.jspecify.annotations.Nullable;

/** A job in history. */
public record EndedRow(
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
    public EndedRow withDetail(String other) {
        return new EndedRow(
                id, spec, state, enqueuedAt, runAt, startedAt, finishedAt, attempt, lost, epoch, worker, other, result);
    }
}
