package dev.headgate.internal.worker;

import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.lease.TurnRequest;

/**
 * How many lanes the next turn judges, beyond its free slots. A turn that only denies shows that the lanes it read are
 * blocked; a lane that could start may stand behind them, so the next turn reads twice as many. A start ends that.
 *
 * <p>Design note: why not far at once. A turn holds the locks of all lanes and gates that it judges. Meanwhile another
 * worker that claims skips these lanes and starts younger ones, and a job that ends waits for its gates. So the reach
 * grows only after turns that found nothing, and only as far as one turn stays within {@link #LOCKED_NANOS_MAX}. Not
 * thread-safe.
 */
final class Lookahead {
    private static final int FIRST = 128;

    /** The longest time for which a turn should hold its locks. */
    private static final long LOCKED_NANOS_MAX = 20_000_000;

    private int lanes;

    /** 0 if the slots alone decide how many lanes are read. */
    int lanes() {
        return lanes;
    }

    /** A turn has ended after this time. */
    void turned(Turn turn, long tookNanos) {
        boolean hasOnlyDenied = turn.started().isEmpty() && turn.denied() > 0;
        if (!hasOnlyDenied) {
            lanes = 0;
            return;
        }
        long perLane = Math.max(1, tookNanos / turn.denied());
        long inTime = Math.max(FIRST, LOCKED_NANOS_MAX / perLane);
        lanes = (int) Math.min(Math.min(TurnRequest.REACH_MAX, inTime), Math.max(FIRST, 2L * turn.denied()));
    }
}
