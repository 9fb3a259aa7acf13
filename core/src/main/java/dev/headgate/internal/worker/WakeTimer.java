package dev.headgate.internal.worker;

import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.time.Nanos;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When a dispatcher looks next although nothing has happened.
 *
 * <p>Design note: to be there in time. A turn decides some statements after it was asked for, so the worker comes earlier
 * by what that usually takes. Where another worker was the last to move what opens next, it will be there; this one only
 * makes sure, a little later. Not thread-safe.
 */
final class WakeTimer {
    /** How much later those come whom somebody else should have made unnecessary. */
    private static final long GRACE_MIN_NANOS = 10_000_000;

    /** The most that is counted for the way to a decision; one that took longer had to wait for others. */
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

    /** What a turn usually takes. */
    long turnNanos() {
        return turnNanos;
    }

    /** How much too early a turn may come. */
    Duration lead() {
        return Duration.ofNanos(leadNanos);
    }

    /** Whether the next look only makes sure that another worker was there. */
    boolean isOthers() {
        return isOthers;
    }

    /** A turn has answered. */
    void turned(long asked, long now) {
        turnNanos = (turnNanos * 3 + now - asked) / 4;
    }

    /**
     * Plans the next look after a turn that claimed.
     *
     * @param hasMoved it started, ended or judged something
     */
    void plan(Turn turn, boolean hasMoved, long asked, long now) {
        // The shortest ways count: one that had to wait for others says nothing of the next.
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
        // Who came a moment too early has moved nothing, and is still the one to be there.
        isOthers = next.isOthers() && !Long.valueOf(next.at()).equals(attendedAt);
        attendedAt = isOthers ? attendedAt : Long.valueOf(next.at());
        long opensNanos = turn.decidedNanos() + Nanos.of(next.in());
        nextNanos = Math.min(now + pollNanos, opensNanos + (isOthers ? grace() : -leadNanos));
        boolean isInVain = !hasMoved && next.in().isZero();
        // The store says "at once" and then has nothing. Bounded, or a fault there would burn a core here.
        spinNanos = isInVain ? Math.clamp(spinNanos * 2, 100_000, SPIN_MAX_NANOS) : 0;
        nextNanos = isInVain ? now + spinNanos : nextNanos;
    }

    /**
     * Somebody looked, without a turn, how long it is until something can start; absent if nothing waits for time. Then the
     * poll is a turn again: it is the net under everything that a look may miss.
     */
    void glanced(@Nullable Duration left, long now) {
        isOthers = left != null && !left.isZero();
        nextNanos = now + Math.min(pollNanos, left == null ? Nanos.FOR_EVER : Nanos.of(left) + grace());
    }

    /** A turn is due in so long at the latest, whoever else may be there. */
    void lookWithin(long nanos, long now) {
        nextNanos = Math.min(nextNanos, now + nanos);
        isOthers = false;
    }

    /** Nobody could look: then a turn must. */
    void unknown() {
        isOthers = false;
    }

    /** Time enough for a turn of the one who is to be there, as far as our own turns tell. */
    private long grace() {
        return Math.max(GRACE_MIN_NANOS, 2 * turnNanos);
    }
}
