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
        boolean isCancelRequested) {
    /**
     * Whether it takes a new place when it comes into its lane: because it has become due, because nothing that it waits
     * for is left, or out of history. One that was ever leased comes back to the place it had, and so does one that was
     * parked, whichever it is: it was in its lane before. The statements of a store say the same:
     * {@code epoch = 0 and front < 2}.
     */
    public boolean takesNewPlace() {
        return epoch == 0 && !spec.keepsPlace();
    }
}
