package dev.headgate.spi;

import dev.headgate.internal.admission.Start;
import dev.headgate.job.Cost;
import dev.headgate.job.JobSpec;
import dev.headgate.job.JobState;
import dev.headgate.job.Lane;
import dev.headgate.job.ParkReason;
import dev.headgate.status.QueueCount;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Live jobs. Every write of a worker is guarded by worker and epoch; the rows that come back are those that changed. */
public interface JobTable {
    /** A job to insert; {@code dedupUntil} is absent if its key counts as long as the job lives. */
    record NewRow(
            JobSpec spec,
            JobState state,
            long runAt,
            long now,
            @Nullable Long dedupUntil,
            BacklogTable.Caps caps) {
        private static final long WHEN_WRITTEN = Long.MIN_VALUE;

        /** One that is due at once, at the time of the store when it writes it: that time need not be asked for first. */
        public static NewRow whenWritten(JobSpec spec) {
            return new NewRow(spec, JobState.QUEUED, WHEN_WRITTEN, WHEN_WRITTEN, null, BacklogTable.Caps.NONE);
        }

        /** Whether its times are known; if not, the store puts its own. */
        public boolean isTimed() {
            return now != WHEN_WRITTEN;
        }

        /** Whether only payloads differ. */
        public boolean isLike(NewRow other) {
            return state == other.state
                    && runAt == other.runAt
                    && now == other.now
                    && Objects.equals(dedupUntil, other.dedupUntil)
                    && caps.equals(other.caps)
                    && spec.isLike(other.spec);
        }
    }

    /** The id of the new row, or of the live job that already carries the dedup key. */
    record Inserted(long id, boolean isNew) {}

    /** The right of one worker to one job. */
    record LeaseRef(long job, long epoch) {}

    /** A leased job that ends now; {@code isLost} counts a lost worker. */
    record Ending(
            LeaseRef lease,
            JobState state,
            @Nullable String result,
            @Nullable String detail,
            boolean isLost) {
        /** One that its worker ended. */
        public Ending(LeaseRef lease, JobState state, @Nullable String result, @Nullable String detail) {
            this(lease, state, result, detail, false);
        }

        /** Whether it differs in nothing but the job. */
        public boolean isLike(Ending other) {
            return lease.epoch() == other.lease.epoch()
                    && state == other.state
                    && isLost == other.isLost
                    && Objects.equals(result, other.result)
                    && Objects.equals(detail, other.detail);
        }
    }

    /**
     * A leased job that goes back to waiting. {@code attemptBack} gives its attempt back; {@code isLost} counts a lost
     * worker; {@code reason} is set if it is parked.
     */
    record GiveBack(
            LeaseRef lease,
            JobState state,
            long runAt,
            boolean attemptBack,
            boolean isLost,
            @Nullable ParkReason reason,
            @Nullable String detail) {}

    /** A job that was set aside: where it would wait, and what it costs. */
    record ParkedRow(long job, String type, Lane lane, Cost cost) {}

    /** A waiting job that ended because its deadline passed, and where it stood. */
    record ExpiredRow(long job, HeadOfLane head) {}

    /** Inserts all, in order; ids rise in that order. */
    Pending<List<Inserted>> insert(List<NewRow> rows);

    /**
     * The same for jobs without dedup keys, if this version of the policies is the stored one. Otherwise nothing is inserted, and the answer
     * throws {@link StalePoliciesException}. Asked only of a store that is far, see {@link StoreTransaction#isTimeFar}.
     */
    default Pending<List<Inserted>> insertUnder(long policies, List<NewRow> rows) {
        return insert(rows);
    }

    @Nullable
    JobRow find(long id);

    /** Like find, and no other transaction changes the row until this one ends. */
    @Nullable
    JobRow lock(long id);

    /**
     * The first jobs of default lanes that no other claim is holding, locked; those of one lane in the order of their ranks.
     *
     * @param lanes how many of each at most
     */
    Pending<List<HeadRow>> plainHeads(Map<String, Integer> lanes);

    /** Of how many jobs a lane {@link #heads} tells whether more wait behind them; of more it says that there may be. */
    int LOOKED_BEHIND_MAX = 4;

    /** The first jobs of each lane, locked, and whether more wait behind them; ordered by lane and rank. */
    List<HeadRow> heads(Collection<String> lanes, int perLane);

    /**
     * Starts queued jobs that this transaction holds: RUNNING, epoch + 1, attempt + 1. Returns all of them in this order.
     *
     * @param margin how long after this their calls may be made, see {@link JobRow.Lease#margin}
     */
    Pending<List<JobRow>> lease(String worker, List<Long> jobs, long margin, long now);

    /** Starts running jobs of this worker once more: epoch + 1, attempt + 1. */
    List<JobRow> leaseAgain(String worker, List<LeaseRef> leases, long margin, long now);

    /** Moves leased jobs to history and returns which. */
    Pending<List<Long>> end(String worker, List<Ending> endings, long now);

    /** Puts leased jobs back to waiting. */
    List<ReleasedRow> giveBack(String worker, List<GiveBack> backs, long now);

    /**
     * Takes a counted loss and the attempt that it used off each of these live jobs, whatever their state.
     *
     * @return those that had one
     */
    List<Long> forgiveLoss(Collection<Long> jobs);

    /** Which of these leases this worker still holds. */
    List<ReleasedRow> held(String worker, List<LeaseRef> leases);

    /** Moves a job that is not running to history. */
    boolean endWaiting(long job, JobState state, String detail, long now);

    /** Moves jobs that are not running to history as CANCELLED, each with its reason. */
    void endWaiting(Map<Long, String> details, long now);

    /**
     * Changes a job that is not running to QUEUED, SCHEDULED or AWAITING, and answers where it stands by then; absent if
     * there is none. If it was SCHEDULED and is QUEUED by this, it may {@link JobRow#takesNewPlace take a new place}.
     */
    @Nullable
    HeadOfLane requeue(long job, JobState state, long runAt);

    /** Gives a waiting job another priority and the place that goes with it; absent if it does not wait. */
    @Nullable
    HeadOfLane changePriority(long job, int priority);

    /** Sets waiting jobs aside. */
    void park(Map<Long, String> details, ParkReason reason);

    /** Makes jobs parked for this reason QUEUED again, of the given types only if any are given. */
    List<HeadOfLane> unpark(ParkReason reason, Collection<String> types, long now, int limit);

    /** Jobs parked for this reason, by type and id; only those after the given one, if there is one. */
    List<ParkedRow> parked(ParkReason reason, @Nullable ParkedRow after, int limit);

    /** Makes these jobs QUEUED again, those of them that are parked. */
    List<HeadOfLane> unpark(Collection<Long> jobs, long now);

    /**
     * Makes due jobs of these queues QUEUED, the earliest first. Those that {@link JobRow#takesNewPlace take a new place}
     * draw their numbers in the order of their times, and at equal times in that of their enqueue.
     */
    List<HeadOfLane> promoteDue(Collection<String> queues, long now, int limit);

    /** Whether a waiting job's deadline has passed; takes no lock. */
    boolean isAnyExpired(long now);

    /** Whether a job of one of these types is parked for this reason. */
    boolean isAnyParked(ParkReason reason, Collection<String> types);

    /** Ends waiting jobs whose deadline has passed as FAILED, those that no other transaction has locked. */
    List<ExpiredRow> expire(long now, int limit);

    /**
     * The next instant at which a scheduled job of these queues is due or a deadline passes; empty if there is none,
     * negative if {@link EdgeTable#addLooks} has left something to look at.
     */
    Pending<Optional<Long>> nextDue(Collection<String> queues);

    /** Asks the holder of a running job to stop. */
    boolean requestCancel(long job);

    /** Which of these leases the worker should stop: asked to, or no longer its own. */
    List<Long> toStop(String worker, Collection<LeaseRef> leases);

    /** Deletes a job in any state; answers what it held. */
    @Nullable
    JobRow delete(long job);

    /** Notes progress and appends log lines, keeping the newest {@code linesMax}; false if the lease is gone. */
    boolean report(String worker, LeaseRef lease, Report report, int linesMax);

    /** The start of a lease was taken anew; false if the lease is gone. */
    boolean depart(String worker, LeaseRef lease, Start anew);

    /** Ids of live jobs, newest first. */
    JobIds ids();

    List<JobRow> findAll(Collection<Long> ids);

    /**
     * How many there are, by queue and state. To count millions would take seconds: where there are more than {@code max} live
     * jobs, those of one queue and state are counted up to about so many, and marked if there may be more.
     */
    List<QueueCount> counts(int max);

    /** How many queued jobs of the lane come before this rank, counted up to {@code max}. */
    int countBefore(String lane, long rank, int max);

    /** What running jobs hold, summed from the job rows: the truth that gates are checked against. */
    List<HoldingRow> holdings();
}
