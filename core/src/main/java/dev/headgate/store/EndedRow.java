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
        @Nullable String result) {}
