package dev.headgate.store;

import dev.headgate.job.JobSpec;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus.Progress;
import dev.headgate.job.ParkReason;
import org.jspecify.annotations.Nullable;

/** A live job as stored. Instants are microseconds of store time. */
public record JobRow(
        long id,
        JobSpec spec,
        JobState state,
        long rank,
        long enqueuedAt,
        long runAt,
        @Nullable Long startedAt,
        int attempt,
        int lost,
        long epoch,
        @Nullable String worker,
        @Nullable ParkReason parkReason,
        @Nullable String detail,
        @Nullable Progress progress,
        boolean isCancelRequested) {}
