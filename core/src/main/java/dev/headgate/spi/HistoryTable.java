package dev.headgate.spi;

import dev.headgate.job.Attempt;
import dev.headgate.job.JobState;
import dev.headgate.job.Lane;
import dev.headgate.job.LogLine;
import dev.headgate.spi.JobTable.LeaseRef;
import dev.headgate.status.QueueCount;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Jobs that have ended, failed attempts and log lines. */
public interface HistoryTable {
    /** A failed attempt to note. */
    record NewAttempt(
            long job,
            int number,
            long epoch,
            String worker,
            long startedAt,
            long endedAt,
            String outcome,
            String error) {}

    void addAttempts(List<NewAttempt> attempts);

    List<Attempt> attempts(long job);

    /** The same of many jobs; those that have none are not in it. */
    Map<Long, List<Attempt>> attempts(Collection<Long> jobs);

    /**
     * Changes attempts that are noted as lost with this worker, and no others.
     *
     * @return the jobs of those that it changed
     */
    List<Long> amendLost(String worker, List<LeaseRef> leases, String outcome, String error);

    List<LogLine> log(long job);

    @Nullable
    HistoryRow find(long job);

    JobIds ids();

    /**
     * When a job that has ended started last; absent if it never did.
     */
    record EndedStart(long job, Lane lane, @Nullable Long startedAt) {}

    /** The last starts of ended jobs with lower numbers than this, newest first. */
    List<EndedStart> starts(long before, int limit);

    List<HistoryRow> findAll(Collection<Long> ids);

    /** A job that is back from history, and the lane that it is in. */
    record Revived(long job, HeadOfLane head) {}

    /**
     * Takes those of these jobs that failed or were cancelled out of history and back to life as QUEUED; their attempts start
     * again, their epochs do not. In the order of their numbers, which is the order in which they draw new places.
     */
    List<Revived> revive(Collection<Long> jobs, long now);

    /** Which of these jobs have ended. None of them is deleted before this transaction ends. */
    List<Long> hold(Collection<Long> jobs);

    /**
     * Locks jobs that ended in this range and after this position, in that order. Those that another transaction has locked
     * are left out.
     */
    List<EndPosition> lockEnded(EndedRange range, EndPosition after, int limit);

    /** A job that has ended, without all that was said about it. */
    record EndedJob(EndPosition position, String queue, String type, JobState state) {}

    /** Jobs that ended after this position and at this instant at the latest, in that order, at most so many. */
    List<EndedJob> endedAfter(EndPosition after, long until, int limit);

    /** Deletes ended jobs with their attempts, log lines and edges; answers how many there were. */
    int delete(Collection<Long> jobs);

    /** Like {@link JobTable#counts}. */
    List<QueueCount> counts(int max);
}
