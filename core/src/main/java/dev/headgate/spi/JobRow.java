package dev.headgate.spi;

import dev.headgate.internal.admission.Start;
import dev.headgate.job.JobSpec;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus.Progress;
import dev.headgate.job.ParkReason;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A live job as stored. Instants are microseconds of store time.
 *
 * @param margin how long after its start its handler may still make its call, in microseconds; 0 if nothing bounds that
 */
public record JobRow(
        long id,
        JobSpec spec,
        JobState state,
        long rank,
        long enqueuedAt,
        long runAt,
        @Nullable Long startedAt,
        long margin,
        int attempt,
        int lost,
        long epoch,
        @Nullable String worker,
        @Nullable ParkReason parkReason,
        @Nullable String detail,
        @Nullable Progress progress,
        boolean isCancelRequested) {
    /** The start of its lease, as its gates count it. */
    public Start start() {
        return new Start(Objects.requireNonNull(startedAt, "a lease has begun"), margin);
    }

    /** The same lease with a start that was taken anew. */
    public JobRow departing(Start anew) {
        return new JobRow(
                id,
                spec,
                state,
                rank,
                enqueuedAt,
                runAt,
                anew.at(),
                anew.margin(),
                attempt,
                lost,
                epoch,
                worker,
                parkReason,
                detail,
                progress,
                isCancelRequested);
    }

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
