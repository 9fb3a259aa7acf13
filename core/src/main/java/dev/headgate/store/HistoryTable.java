package dev.headgate.store;

import dev.headgate.job.Attempt;
import dev.headgate.job.LogLine;
import dev.headgate.store.JobTable.LeaseRef;
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
    EndedRow find(long job);

    JobIds ids();

    List<EndedRow> findAll(Collection<Long> ids);

    /** Takes an ended job out of history and back to life as QUEUED; its attempts start again, its epoch does not. */
    @Nullable
    HeadOfLane revive(long job, long now);

    boolean delete(long job);

    /** Like {@link JobTable#counts}. */
    List<QueueCount> counts(int max);

    /** Deletes a batch of what ended before the cutoff; answers how many. */
    int prune(long endedBefore, int limit);
}
