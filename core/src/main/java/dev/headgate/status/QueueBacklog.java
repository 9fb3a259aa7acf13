package dev.headgate.status;

/**
 * What there is to do in one queue, by what it waits for. Only {@code admissible} is a reason for more slots, processes
 * or machines: for everything else they would stand idle.
 *
 * @param admissible jobs that could start at once if there were a free slot; several queues that share a gate share its
 *     room here too
 * @param isMore admissible jobs were counted only so far, and there may be more
 * @param blocked jobs that are due and that a limit of their queue or of a gate holds back, or a gate that is held or
 *     paused; if {@code isMore} or {@code unjudged}, only those that stand in line at a gate
 * @param unjudged jobs that are due and that no claim has looked at yet, beyond those counted here: some may be admissible
 * @param paused jobs that are due in a queue that is paused
 * @param scheduled jobs that are due later
 * @param awaiting jobs that wait for other jobs
 * @param parked jobs that were set aside, such as those of a paused type
 * @param running jobs at work
 * @param isAtLeast there are so many jobs that some of these figures were counted only so far; never {@code running}
 */
public record QueueBacklog(
        String queue,
        long admissible,
        boolean isMore,
        long blocked,
        long unjudged,
        long paused,
        long scheduled,
        long awaiting,
        long parked,
        long running,
        boolean isAtLeast) {}
