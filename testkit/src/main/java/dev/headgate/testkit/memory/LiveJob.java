package dev.headgate.testkit.memory;

import dev.headgate.job.JobSpec;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus.Progress;
import dev.headgate.job.ParkReason;
import dev.headgate.job.Rank;
import dev.headgate.spi.BacklogTable.Caps;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.HeadRow;
import dev.headgate.spi.HeadRow.Standing;
import dev.headgate.spi.HistoryRow;
import dev.headgate.spi.JobRow;
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
                spec.rank(id),
                wanted.now(),
                wanted.runAt(),
                null,
                0,
                0,
                0,
                0,
                null,
                null,
                null,
                null,
                false);
        return new LiveJob(row, spec.lane().id(), wanted.dedupUntil(), wanted.caps());
    }

    /** What is said of it if its deadline passes while it waits. */
    String expired() {
        int attempt = row.attempt();
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
                laneId, row.id(), row.rank(), row.spec().cost(), row.spec().type(), standing, isMore);
    }

    HeadOfLane asHead() {
        return new HeadOfLane(spec().lane(), laneId, row.rank(), spec().cost());
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
        return new ReleasedRow(row.id(), spec().lane(), row.rank(), spec().cost(), row.attempt(), row.start());
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
                row.enqueuedAt(),
                row.runAt(),
                row.startedAt(),
                now,
                row.attempt(),
                row.lost(),
                row.epoch(),
                row.worker(),
                detail,
                result);
    }

    LiveJob counting(Caps other) {
        return new LiveJob(row, laneId, dedupUntil, other);
    }

    /** Its dedup key was freed, or had been taken when it came back. */
    LiveJob withoutKey() {
        return with(edit -> edit.spec = withoutKey(edit.spec));
    }

    private static JobSpec withoutKey(JobSpec spec) {
        return new JobSpec(
                spec.lane(),
                spec.type(),
                spec.payload(),
                spec.cost(),
                spec.priority(),
                spec.isFront(),
                spec.keepsPlace(),
                null,
                spec.dedupFor(),
                spec.timeout(),
                spec.deadline(),
                spec.attemptsMax(),
                spec.retry(),
                spec.frame());
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
            this.rank = before.rank();
            this.runAt = before.runAt();
            this.startedAt = before.startedAt();
            this.margin = before.margin();
            this.attempt = before.attempt();
            this.lost = before.lost();
            this.epoch = before.epoch();
            this.worker = before.worker();
            this.parkReason = before.parkReason();
            this.detail = before.detail();
            this.progress = before.progress();
            this.isCancelRequested = before.isCancelRequested();
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
            rank += (spec.priority() - priority) * Rank.PER_PRIORITY;
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
                    rank,
                    before.enqueuedAt(),
                    runAt,
                    startedAt,
                    margin,
                    attempt,
                    lost,
                    epoch,
                    worker,
                    parkReason,
                    detail,
                    progress,
                    isCancelRequested);
        }
    }
}
