package dev.headgate.spi;

import dev.headgate.job.JobState;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs wait for which. An edge is open until its dependency has ended. A dependency always has the lower number:
 * it was there first, so there are no cycles, and rows locked in the order of their numbers are locked along the edges.
 */
public interface EdgeTable {
    /** A job that stopped waiting: now in its lane, or scheduled because it is not due yet. */
    record Freed(long job, JobState state, HeadOfLane head) {}

    /** A waiting job that ends because of one that it waited for. */
    record Felled(long job, long dependency, JobState state, String detail) {}

    /** An open edge with the state of its dependency; {@code open} is how many open edges the job has. */
    record OpenEdge(long job, long dependency, @Nullable JobState state, int open) {}

    void insert(List<EdgeRow> edges);

    /** All edges of these waiting jobs, by job and place. */
    List<EdgeRow> of(Collection<Long> jobs);

    /** Edges that ended the job which waited, by their dependencies; in order, so many at most. */
    List<EdgeRow> fatal(Collection<Long> dependencies, int limit);

    /** The first open edges of each of these jobs, by job and place. */
    List<OpenEdge> open(Collection<Long> jobs, int perJob);

    /**
     * Which of these jobs are live. None of them ends before this transaction does; one that is just ending is waited for,
     * and is not among them.
     */
    List<Long> lockLive(Collection<Long> dependencies);

    /** Which of these jobs are live, as far as this transaction can see. */
    List<Long> live(Collection<Long> dependencies);

    /**
     * Notes how these dependencies ended, on up to {@code limit} open edges, and answers with those. They are no longer
     * live; one that is not in history either counts as deleted.
     */
    List<EdgeRow> settle(Collection<Long> dependencies, int limit);

    /** Locks those of these jobs that wait for others, in the order of their numbers. */
    List<Long> lockAwaiting(Collection<Long> jobs);

    /**
     * Lets those of these jobs go that have no open edge left.
     *
     * @param isNew whether this transaction has enqueued them: then they have the place of their enqueue. Others may
     *     {@link JobRow#takesNewPlace take a new one} if they are due, in the order of their enqueue
     */
    List<Freed> free(Collection<Long> jobs, long now, boolean isNew);

    /** Ends waiting jobs, and notes the edges that ended them. */
    void fell(List<Felled> felled, long now);

    /** Opens these edges again, because their dependencies live again. */
    void reopen(List<EdgeRow> edges);

    /**
     * Makes this edge the one that ended its job.
     *
     * @param detail the reason that the ended job has from now on
     */
    void markFatal(EdgeRow edge, String detail);

    /** Nothing that ended before is to blame for what becomes of these jobs from now on. */
    void forgive(Collection<Long> jobs);

    /** Makes those of these queued jobs wait again that have an open edge; answers with them. */
    List<Long> await(Collection<Long> jobs);

    /**
     * Which of these ended jobs another one may still read: one that waits or has waited for it, and that is live, or that
     * failed or was cancelled at this instant or later and so may be brought back.
     */
    List<Long> stillNeeded(Collection<Long> dependencies, long endedSince);

    /** Notes that these jobs must be looked at: {@link JobTable#nextDue} is negative until {@link #takeLooks}. */
    void addLooks(Collection<Long> jobs);

    /** Takes such notes away and answers with them; those that another transaction holds are left to it. */
    List<Long> takeLooks(int limit);
}
