package dev.headgate.internal.worker;

import dev.headgate.internal.time.Nanos;
import dev.headgate.limit.Margin;
import java.time.Duration;

/**
 * When a lease was granted, by this process's own ticker, and until when its handler may be entered.
 *
 * <p>Design note: its limits count the start at the grant plus the margin at the latest, so that a call which comes later
 * would be counted too early. A measure of that must not believe the wall clock, which two machines have differently and
 * which can step. So the time is taken by the monotonic clock of the process, from a reading that is certainly not later
 * than the grant: one taken before the store was asked for its time.
 */
final class Grant {
    private final long nanos;
    private final long allowanceNanos;
    private final int passes;

    /**
     * A lease of which the ticker says that it is not older than this.
     *
     * @param margin that of the lease, in microseconds; 0 if its handler may be entered at any time
     * @param passes how often its lane had been turned away before
     */
    Grant(long nanos, long margin, int passes) {
        this.passes = passes;
        this.nanos = nanos;
        this.allowanceNanos = margin == 0 ? Nanos.FOR_EVER : Margin.startAllowance(margin) * 1_000;
    }

    /** Whether it can be too late at all. */
    boolean isTimed() {
        return allowanceNanos != Nanos.FOR_EVER;
    }

    /** How long its handler may take to be entered; {@link Nanos#FOR_EVER} if nothing bounds that. */
    long allowanceNanos() {
        return allowanceNanos;
    }

    /** How long its handler may still wait to be entered; {@link Nanos#FOR_EVER} if nothing bounds that. */
    long leftNanos(long now) {
        return isTimed() ? allowanceNanos - (now - nanos) : Nanos.FOR_EVER;
    }

    /** How long ago it was. */
    Duration age(long now) {
        return Duration.ofNanos(Math.max(0, now - nanos));
    }

    /** How often its lane had been turned away before. */
    int passes() {
        return passes;
    }

    /** Which turn it came from: leases of one turn have the same. */
    long nanos() {
        return nanos;
    }
}
