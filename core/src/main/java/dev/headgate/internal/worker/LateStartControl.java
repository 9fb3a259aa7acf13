package dev.headgate.internal.worker;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Makes a worker that keeps missing the margins of its starts ask for fewer of them, then for one, and then rest for a
 * moment. So starts that it would only give back go to workers that are in time, and a cold or overloaded process
 * recovers. Starts without a margin are not bounded, and do not count here. Thread-safe.
 *
 * <p>Design note: all late starts of one turn are one miss, and so are those of turns that were granted before the miss
 * was known. The starts of a turn reach their handlers one after the other, so a turn has room for twice as many as
 * came in the first half of their time: the bound doubles while the worker is quick, and stays just below what would be
 * late once it is not. A turn that is in time with everything it asked for allows one more, because that half may be
 * spent on the way to the store.
 */
final class LateStartControl {
    /** No bound. */
    static final int UNBOUND = Integer.MAX_VALUE;

    /** A worker that may ask for this many is in time again. */
    private static final int ENOUGH = 16;

    private static final long REST_MIN_NANOS = Duration.ofMillis(50).toNanos();
    private static final long REST_MAX_NANOS = Duration.ofSeconds(1).toNanos();

    private final int slots;
    private final Consumer<Boolean> onChange;
    private int most = UNBOUND;
    private int starts;
    private long turn;
    private long missed;
    private long met;
    private int inTime;
    private int soon;
    private long restNanos;
    private long restUntil;
    private boolean isBehind;

    /**
     * For a worker that starts now and counts as in time.
     *
     * @param slots the most starts of one turn
     * @param onChange receives true when the bound falls to one start, and false when the worker is in time again
     */
    LateStartControl(int slots, long now, Consumer<Boolean> onChange) {
        this.slots = slots;
        this.turn = now;
        this.missed = now - 1;
        this.met = now - 1;
        this.restUntil = now;
        this.onChange = onChange;
    }

    /** How many starts with a margin to ask for now. */
    synchronized int most(long now) {
        return restLeft(now) > 0 ? 0 : most;
    }

    /** How long it rests from now on; 0 if it does not. */
    synchronized long restLeft(long now) {
        return restNanos == 0 ? 0 : Math.max(0, restUntil - now);
    }

    /**
     * A turn has granted this many starts with a margin.
     *
     * @param granted the reading of the ticker that belongs to it; rises from turn to turn
     */
    synchronized void granted(long granted, int count) {
        if (count > 0) {
            turn = granted;
            starts = count;
        }
    }

    /** A start of this turn was too late. */
    void late(long granted, long now) {
        boolean isNews = false;
        synchronized (this) {
            if (granted - missed <= 0) {
                return; // the same miss
            }
            missed = turn;
            if (most > 1) {
                most = Math.max(1, Math.min(most, starts) / 2);
            } else {
                restNanos = Math.clamp(2 * restNanos, REST_MIN_NANOS, REST_MAX_NANOS);
                restUntil = now + restNanos;
                isNews = !isBehind;
                isBehind = true;
            }
        }
        if (isNews) {
            onChange.accept(true);
        }
    }

    /**
     * A start of this turn was in time. Returns whether that allows more starts.
     *
     * @param isSoon at most half of its time was over
     */
    boolean inTime(long granted, boolean isSoon) {
        boolean isOver;
        synchronized (this) {
            if (most == UNBOUND || granted - missed <= 0 || granted - met < 0) {
                return false;
            }
            if (granted != met) {
                met = granted;
                inTime = 0;
                soon = 0;
            }
            restNanos = 0;
            inTime++;
            soon += isSoon ? 1 : 0;
            int more = Math.max(2 * soon, inTime == most ? most + 1 : most);
            if (more <= most) {
                return false;
            }
            most = more >= slots ? UNBOUND : more;
            isOver = isBehind && most >= Math.min(slots, ENOUGH);
            isBehind &= !isOver;
        }
        if (isOver) {
            onChange.accept(false);
        }
        return true;
    }
}
