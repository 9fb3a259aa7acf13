package dev.headgate.internal.worker;

import dev.headgate.internal.time.Nanos;
import dev.headgate.limit.Margin;
import java.time.Duration;

/**
 * When a lease was granted, by this process's own ticker, and until when its handler may be entered.
 *
 * <p>Design note: limits count the start at the grant plus the margin at the latest, so a later call would be counted
 * too early. The wall clock must not measure this: two machines differ, and it can step. So the monotonic clock of the
 * process measures it, from a reading that is certainly not later than the grant: one taken before the store was asked
 * for its time.
 */
final class GrantTime {
    private final long nanos;
    private final long allowanceNanos;
    private final int passes;

    /**
     * A lease that is not older than this reading of the ticker.
     *
     * @param margin of the lease, in microseconds; 0 if its handler may be entered at any time
     * @param passes how often its lane had been turned away before
     */
    GrantTime(long nanos, long margin, int passes) {
        this.passes = passes;
        this.nanos = nanos;
        this.allowanceNanos = margin == 0 ? Nanos.FOR_EVER : Margin.startAllowance(margin) * 1_000;
    }

    /** Whether it can be too late at all. */
    boolean isTimed() {
        return allowanceNanos != Nanos.FOR_EVER;
    }

    /** How long its handler may take to be entered; {@link Nanos#FOR_EVER} without a bound. */
    long allowanceNanos() {
        return allowanceNanos;
    }

    /** How long its handler may still wait to be entered; {@link Nanos#FOR_EVER} without a bound. */
    long leftNanos(long now) {
        return isTimed() ? allowanceNanos - (now - nanos) : Nanos.FOR_EVER;
    }

    /** The time since the grant. */
    Duration age(long now) {
        return Duration.ofNanos(Math.max(0, now - nanos));
    }

    /** How often its lane had been turned away before. */
    int passes() {
        return passes;
    }

    /** Names the turn: leases of one turn have the same. */
    long nanos() {
        return nanos;
    }
}
