package dev.headgate.spi;

import dev.headgate.internal.admission.Start;
import dev.headgate.job.JobSpec;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus.Progress;
import dev.headgate.job.ParkReason;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A live job as stored. Instants are microseconds of store time. */
public record JobRow(long id, JobSpec spec, JobState state, Place place, Lease lease, Notes notes) {
    /** Its place in its lane, and when it came and is due. */
    public record Place(long rank, long enqueuedAt, long runAt) {}

    /**
     * Its latest lease, and how many there were.
     *
     * @param margin how long after its start its handler may still make its call, in microseconds; 0 if nothing bounds that
     */
    public record Lease(
            @Nullable Long startedAt,
            long margin,
            int attempt,
            int lost,
            long epoch,
            @Nullable String worker) {
        /** Of a job that was never leased. */
        public static final Lease NONE = new Lease(null, 0, 0, 0, 0, null);

        /** The start of this lease, as its gates count it. */
        public Start start() {
            return new Start(Objects.requireNonNull(startedAt, "a lease has begun"), margin);
        }
    }

    /**
     * What was noted of it.
     *
     * @param detail the latest error, or the reason it is parked
     */
    public record Notes(
            @Nullable ParkReason parkReason,
            @Nullable String detail,
            @Nullable Progress progress,
            boolean isCancelRequested) {
        public static final Notes NONE = new Notes(null, null, null, false);

        /** Nothing but a detail. */
        public static Notes of(@Nullable String detail) {
            return detail == null ? NONE : new Notes(null, detail, null, false);
        }
    }

    /** The same with another lease. */
    public JobRow with(Lease other) {
        return new JobRow(id, spec, state, place, other, notes);
    }

    /** The same lease with a start that was taken anew. */
    public JobRow departing(Start anew) {
        return with(new Lease(anew.at(), anew.margin(), lease.attempt, lease.lost, lease.epoch, lease.worker));
    }

    /**
     * Whether it takes a new place when it comes into its lane: because it has become due, because nothing that it waits
     * for is left, or out of history. One that was ever leased comes back to the place it had, and so does one that was
     * parked, whichever it is: it was in its lane before. The statements of a store say the same:
     * {@code epoch = 0 and front < 2}.
     */
    public boolean takesNewPlace() {
        return lease.epoch == 0 && !spec.order().keepsPlace();
    }
}
