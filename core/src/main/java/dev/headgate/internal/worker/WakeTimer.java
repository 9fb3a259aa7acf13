package dev.headgate.internal.worker;

import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.time.Nanos;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When a claim loop looks next although nothing has happened.
 *
 * <p>Design note: to be in time. A turn decides some statements after it was asked for, so the worker comes earlier by
 * that usual time. If another worker was the last to move the gate that opens next, that worker will come; this one
 * comes a little later and makes sure.
 */
final class WakeTimer {
    /** How much later a worker comes that expects another worker to have come before. */
    private static final long GRACE_MIN_NANOS = 10_000_000;

    /** The most that counts as the usual time to a decision; a longer one had to wait for locks. */
    private static final long LEAD_MAX_NANOS = 30_000_000;

    private static final long SPIN_MAX_NANOS = 50_000_000;

    private final long pollNanos;
    private long nextNanos;
    private long turnNanos;
    private long leadNanos;
    private long spinNanos;
    private boolean isOthers;
    private @Nullable Long attendedAt;

    WakeTimer(long pollNanos, long now) {
        this.pollNanos = pollNanos;
        this.nextNanos = now;
    }

    boolean isDue(long now) {
        return nextNanos - now <= 0;
    }

    /** How long until it is due. */
    long left(long now) {
        return Math.max(0, nextNanos - now);
    }

    /** How long a turn usually takes. */
    long turnNanos() {
        return turnNanos;
    }

    /** By how much a turn may come too early. */
    Duration lead() {
        return Duration.ofNanos(leadNanos);
    }

    /** Whether the next look only makes sure that another worker came. */
    boolean isOthers() {
        return isOthers;
    }

    /** A turn has ended. */
    void turned(long asked, long now) {
        turnNanos = (turnNanos * 3 + now - asked) / 4;
    }

    /**
     * Plans the next look after a turn that claimed.
     *
     * @param hasMoved it started, ended or judged something
     */
    void plan(Turn turn, boolean hasMoved, long asked, long now) {
        // The shortest times count: a turn that had to wait for locks says nothing of the next one.
        long way = Math.clamp(turn.decidedNanos() - asked, 0, LEAD_MAX_NANOS);
        leadNanos += (way - leadNanos) / (way < leadNanos ? 2 : 8);
        Turn.Next next = turn.next();
        if (next == null) {
            isOthers = false;
            attendedAt = null;
            spinNanos = 0;
            nextNanos = now + pollNanos;
            return;
        }
        // A turn that came a moment too early has moved nothing, and this worker is still the one to come.
        isOthers = next.isOthers() && !Long.valueOf(next.at()).equals(attendedAt);
        attendedAt = isOthers ? attendedAt : Long.valueOf(next.at());
        long opensNanos = turn.decidedNanos() + Nanos.of(next.in());
        nextNanos = Math.min(now + pollNanos, opensNanos + (isOthers ? grace() : -leadNanos));
        boolean isInVain = !hasMoved && next.in().isZero();
        // The store says "at once" and then has nothing. Bounded, or a fault there would keep a core busy.
        spinNanos = isInVain ? Math.clamp(spinNanos * 2, 100_000, SPIN_MAX_NANOS) : 0;
        nextNanos = isInVain ? now + spinNanos : nextNanos;
    }

    /**
     * A look without a turn found how long it is until something can start; absent if nothing waits for time. The next
     * poll is then a turn: that catches everything a look may miss.
     */
    void looked(@Nullable Duration left, long now) {
        isOthers = left != null && !left.isZero();
        nextNanos = now + Math.min(pollNanos, left == null ? Nanos.FOR_EVER : Nanos.of(left) + grace());
    }

    /** A turn is due within this time at the latest, whichever worker may come too. */
    void lookWithin(long nanos, long now) {
        nextNanos = Math.min(nextNanos, now + nanos);
        isOthers = false;
    }

    /** The look failed: then a turn must find out. */
    void unknown() {
        isOthers = false;
    }

    /** Time for one turn of the worker that is expected to come, measured by our own turns. */
    private long grace() {
        return Math.max(GRACE_MIN_NANOS, 2 * turnNanos);
    }
}
