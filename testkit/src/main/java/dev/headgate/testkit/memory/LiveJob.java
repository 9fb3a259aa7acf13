package dev.headgate.testkit.memory;

import dev.headgate.job.JobSpec;
import dev.headgate.job.JobSpec.Dedup;
import dev.headgate.job.JobSpec.Order;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus.Progress;
import dev.headgate.job.ParkReason;
import dev.headgate.spi.BacklogTable.Caps;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.HeadRow;
import dev.headgate.spi.HeadRow.Standing;
import dev.headgate.spi.HistoryRow;
import dev.headgate.spi.HistoryRow.End;
import dev.headgate.spi.HistoryRow.Leases;
import dev.headgate.spi.HistoryRow.Times;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.JobRow.Lease;
import dev.headgate.spi.JobRow.Notes;
import dev.headgate.spi.JobRow.Place;
import dev.headgate.spi.JobTable.Ending;
import dev.headgate.spi.JobTable.NewRow;
import dev.headgate.spi.JobTable.ParkedRow;
import dev.headgate.spi.ReleasedRow;
import java.util.Collection;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A live job: its row, and what the row does not say. */
record LiveJob(JobRow row, String laneId, @Nullable Long dedupUntil, Caps caps) {
    /** A job as it was inserted. */
    static LiveJob fresh(long id, NewRow wanted) {
        JobSpec spec = wanted.spec();
        JobRow row = new JobRow(
                id,
                spec,
                wanted.state(),
                new Place(spec.rank(id), wanted.now(), wanted.runAt()),
                Lease.NONE,
                Notes.NONE);
        return new LiveJob(row, spec.lane().id(), wanted.dedupUntil(), wanted.caps());
    }

    /** What is said of it if its deadline passes while it waits. */
    String expired() {
        int attempt = row.lease().attempt();
        return attempt == 0
                ? "deadline passed before it started"
                : "deadline passed before attempt %d; attempt %d did not succeed".formatted(attempt + 1, attempt);
    }

    long id() {
        return row.id();
    }

    JobSpec spec() {
        return row.spec();
    }

    JobState state() {
        return row.state();
    }

    String queue() {
        return row.spec().lane().queue();
    }

    HeadRow asHeadRow(Standing standing, boolean isMore) {
        return new HeadRow(
                laneId,
                row.id(),
                row.place().rank(),
                row.spec().cost(),
                row.spec().type(),
                standing,
                isMore);
    }

    HeadOfLane asHead() {
        return new HeadOfLane(spec().lane(), laneId, row.place().rank(), spec().cost());
    }

    ParkedRow asParked() {
        return new ParkedRow(id(), spec().type(), spec().lane(), spec().cost());
    }

    boolean isParkedBehind(ParkedRow other) {
        int order = spec().type().compareTo(other.type());
        return order > 0 || (order == 0 && id() > other.job());
    }

    boolean isOf(Collection<String> types) {
        return types.contains(spec().type());
    }

    ReleasedRow asReleased() {
        return new ReleasedRow(
                row.id(),
                spec().lane(),
                row.place().rank(),
                spec().cost(),
                row.lease().attempt(),
                row.lease().start());
    }

    HistoryRow ended(Ending ending, long now) {
        return with(edit -> edit.lost += ending.isLost() ? 1 : 0)
                .ended(ending.state(), ending.result(), ending.detail(), now);
    }

    HistoryRow ended(JobState state, @Nullable String result, @Nullable String detail, long now) {
        return new HistoryRow(
                row.id(),
                row.spec(),
                state,
                new Times(
                        row.place().enqueuedAt(),
                        row.place().runAt(),
                        row.lease().startedAt(),
                        now),
                new Leases(
                        row.lease().attempt(),
                        row.lease().lost(),
                        row.lease().epoch(),
                        row.lease().worker()),
                new End(detail, result));
    }

    LiveJob counting(Caps other) {
        return new LiveJob(row, laneId, dedupUntil, other);
    }

    /** Its dedup key was freed, or had been taken when it came back. */
    LiveJob withoutKey() {
        return with(edit -> edit.spec = withoutKey(edit.spec));
    }

    private static JobSpec withoutKey(JobSpec spec) {
        return spec.with(new Dedup(null, spec.dedup().lasts()));
    }

    LiveJob with(Consumer<Edit> change) {
        Edit edit = new Edit(row);
        change.accept(edit);
        return new LiveJob(edit.done(), laneId, dedupUntil, caps);
    }

    /** The columns of a job that change in its life. */
    static final class Edit {
        private final JobRow before;
        JobSpec spec;
        JobState state;
        private long rank;
        long runAt;

        @Nullable
        Long startedAt;

        long margin;
        int attempt;
        int lost;
        long epoch;

        @Nullable
        String worker;

        @Nullable
        ParkReason parkReason;

        @Nullable
        String detail;

        @Nullable
        Progress progress;

        boolean isCancelRequested;

        private Edit(JobRow before) {
            this.before = before;
            this.spec = before.spec();
            this.state = before.state();
            this.rank = before.place().rank();
            this.runAt = before.place().runAt();
            this.startedAt = before.lease().startedAt();
            this.margin = before.lease().margin();
            this.attempt = before.lease().attempt();
            this.lost = before.lease().lost();
            this.epoch = before.lease().epoch();
            this.worker = before.lease().worker();
            this.parkReason = before.notes().parkReason();
            this.detail = before.notes().detail();
            this.progress = before.notes().progress();
            this.isCancelRequested = before.notes().isCancelRequested();
        }

        void requeue(JobState after, long at, LongSupplier numbers) {
            if (state == JobState.SCHEDULED && after == JobState.QUEUED) {
                takePlace(numbers);
            }
            state = after;
            runAt = at;
            parkReason = null;
        }

        void changePriority(int priority) {
            rank += (spec.order().priority() - priority) * Order.PER_PRIORITY;
            spec = spec.withPriority(priority);
        }

        /** It comes into its lane: with a new number, if it is one that takes a new place. */
        void takePlace(LongSupplier numbers) {
            if (before.takesNewPlace()) {
                rank = spec.rank(numbers.getAsLong());
            }
        }

        private JobRow done() {
            return new JobRow(
                    before.id(),
                    spec,
                    state,
                    new Place(rank, before.place().enqueuedAt(), runAt),
                    new Lease(startedAt, margin, attempt, lost, epoch, worker),
                    new Notes(parkReason, detail, progress, isCancelRequested));
        }
    }
}
