package dev.headgate.internal.lease;

import dev.headgate.internal.admission.JobFit;
import dev.headgate.internal.admission.QueueTurns;
import java.time.Duration;
import java.util.List;

/**
 * What a worker asks of a turnaround: which jobs it has finished, and how many jobs of which queues it can start now. Without
 * slots it only hands finished jobs in.
 *
 * @param lead how much earlier than planned the worker comes, so that the turn decides at the very instant a gate opens and not
 *     a few statements later. Zero means that it waits for nothing
 * @param serving in which order its queues are served, and where the worker is in that order
 * @param fit which jobs the worker has room for
 * @param reach how many lanes to judge at least, if more wait than there are slots: 0 after a turn that started something, more
 *     after turns that only denied
 */
public record TurnRequest(
        String worker,
        List<String> queues,
        int slots,
        List<EndedLease> ended,
        Duration lead,
        QueueTurns serving,
        JobFit fit,
        int reach) {
    /** The most lanes that one turn judges, whatever was asked for. */
    public static final int REACH_MAX = 4096;

    /** The same with other outcomes and slots. */
    public TurnRequest with(List<EndedLease> fewer, int slotsLeft) {
        return new TurnRequest(worker, queues, slotsLeft, fewer, lead, serving, fit, reach);
    }

    public TurnRequest(String worker, List<String> queues, int slots, List<EndedLease> ended, Duration lead) {
        this(worker, queues, slots, ended, lead, QueueTurns.OLDEST_FIRST, JobFit.ALWAYS, 0);
    }

    public TurnRequest(String worker, List<String> queues, int slots, List<EndedLease> ended) {
        this(worker, queues, slots, ended, Duration.ZERO);
    }
}
