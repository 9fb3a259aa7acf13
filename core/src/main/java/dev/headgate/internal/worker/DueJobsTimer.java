package dev.headgate.internal.worker;

import dev.headgate.internal.time.Nanos;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When a worker without a free slot looks for due jobs: when the next job is due, a moment after a hint, because a hint
 * may announce a new one, and once a second, because a hint may be lost. Only {@link #hint} may be called by other
 * threads.
 */
final class DueJobsTimer {
    private static final long LEAST_NANOS = 50_000_000;
    private static final long MOST_NANOS = 1_000_000_000;

    private volatile boolean isHinted;
    private long lookedNanos;
    private long nextNanos;

    DueJobsTimer(long now) {
        turned(now);
    }

    /** A job may have come. */
    void hint() {
        isHinted = true;
    }

    /** A turn has moved due jobs into their lanes. */
    void turned(long now) {
        isHinted = false;
        lookedNanos = now;
        nextNanos = now + MOST_NANOS;
    }

    /**
     * A look has moved due jobs into their lanes, and the next one is due in this time; absent if none is scheduled.
     */
    void looked(@Nullable Duration left, long now) {
        turned(now);
        nextNanos = now + Math.clamp(left == null ? MOST_NANOS : Nanos.of(left), LEAST_NANOS / 10, MOST_NANOS);
    }

    boolean isDue(long now) {
        return left(now) == 0;
    }

    long left(long now) {
        long next = isHinted ? Math.min(nextNanos - now, lookedNanos + LEAST_NANOS - now) : nextNanos - now;
        return Math.max(0, next);
    }
}
