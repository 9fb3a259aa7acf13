package dev.headgate.internal.lease;

import dev.headgate.internal.admission.Fit;
import dev.headgate.internal.admission.QueueTurns;
import java.time.Duration;
import java.util.List;

/**
 * What a worker brings to a turnaround: what it has finished, and how many jobs of which queues it can start at once.
 * No slots means it only brings back.
 *
 * @param lead how much earlier than it was told the worker may have come, so that the turn decides at the very instant a
 *     gate opens and not the time of some statements later. Zero means that it waits for nothing
 * @param serving which of the queues comes first, and where the worker stands in that
 * @param fit what it has room for
 * @param reach how many lanes to judge at least, if more wait than there are slots: 0 after a turn that started something, more
 *     after turns that only denied
 */
public record TurnRequest(
        String worker,
        List<String> queues,
        int slots,
        List<LeaseEnd> ended,
        Duration lead,
        QueueTurns serving,
        Fit fit,
        int reach) {
    /** So many lanes are judged in one turn at most, whatever was asked for. */
    public static final int REACH_MAX = 4096;

    /** The same with other outcomes and slots. */
    public TurnRequest with(List<LeaseEnd> fewer, int slotsLeft) {
        return new TurnRequest(worker, queues, slotsLeft, fewer, lead, serving, fit, reach);
    }

    public TurnRequest(String worker, List<String> queues, int slots, List<LeaseEnd> ended, Duration lead) {
        this(worker, queues, slots, ended, lead, QueueTurns.OLDEST_FIRST, Fit.ALWAYS, 0);
    }

    public TurnRequest(String worker, List<String> queues, int slots, List<LeaseEnd> ended) {
        this(worker, queues, slots, ended, Duration.ZERO);
    }
}
