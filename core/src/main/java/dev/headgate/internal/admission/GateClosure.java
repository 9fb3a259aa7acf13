package dev.headgate.internal.admission;

import dev.headgate.explain.Decision;
import dev.headgate.explain.Decision.Cause.Held;
import dev.headgate.explain.Decision.Cause.Paused;
import dev.headgate.explain.Decision.Cause.Probing;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.BackOff;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Hold;
import org.jspecify.annotations.Nullable;

/** What closes a whole gate, whatever its limits say: a pause, a hold, and the probe after a hold. */
final class GateClosure {
    private static final long HOLD_MAX = Micros.of(Hold.SPAN_MAX);
    private static final int STREAK_MAX = 1_000;
    private static final long ANONYMOUS = -1;

    boolean isPaused;

    @Nullable
    Hold hold;

    GateClosure(boolean isPaused, @Nullable Hold hold) {
        this.isPaused = isPaused;
        this.hold = hold;
    }

    /** When the gate opens: {@code clock} or less if it is open now. */
    long opens(long clock) {
        Hold held = hold;
        if (isPaused) {
            return Meter.UNTIL_RELEASE;
        }
        if (held == null || held.isOver(clock)) {
            return clock;
        }
        if (clock < held.until()) {
            return held.until();
        }
        return held.probe() == Hold.NO_PROBE ? clock : Meter.UNTIL_RELEASE;
    }

    Decision.@Nullable Blocked blocks(GateKey key, long clock) {
        Hold held = hold;
        if (opens(clock) <= clock) {
            return null;
        }
        if (isPaused || held == null) {
            return new Decision.Blocked(key, new Paused(), null);
        }
        return clock < held.until()
                ? new Decision.Blocked(key, new Held(held), Micros.instant(held.until()))
                : new Decision.Blocked(key, new Probing(), null);
    }

    /** A start after the end of a hold is its probe, or shows that the hold is over. */
    void started(long job, long clock) {
        Hold held = hold;
        if (held != null && clock >= held.until()) {
            if (!held.isProbing()) {
                hold = null;
            } else if (held.probe() == Hold.NO_PROBE) {
                hold = held.withProbe(probeId(job));
            }
        }
    }

    void returned(long job, ReleaseKind how) {
        Hold held = hold;
        if (held != null && held.probe() != Hold.NO_PROBE && held.probe() == probeId(job)) {
            hold = how == ReleaseKind.OK ? null : held.withProbe(Hold.NO_PROBE);
        }
    }

    private static long probeId(long job) {
        return job == Hold.NO_PROBE ? ANONYMOUS : job;
    }

    boolean hold(long until, boolean thenProbe, String reason, long clock) {
        if (until <= clock) {
            return false;
        }
        Hold held = hold;
        if (held == null || held.isOver(clock)) {
            hold = new Hold(clock, until, 0, thenProbe, Hold.NO_PROBE, reason);
            return true;
        }
        hold = held.extended(until, thenProbe, reason);
        return !hold.equals(held);
    }

    /** Ends a hold, its back-off and its probe; false if nothing is held. */
    boolean lift(long clock) {
        Hold held = hold;
        hold = null;
        return held != null && !held.isOver(clock);
    }

    boolean reject(BackOff backOff, long startedAt, @Nullable Long retryAfter, int jitter, String reason, long clock) {
        long told = clock + (retryAfter == null ? 0 : Math.clamp(retryAfter, 0, HOLD_MAX));
        Hold held = hold;
        if (held != null && held.streak() > 0 && startedAt <= held.since()) {
            hold = held.extended(told, true, reason);
            return false;
        }
        int streak = Math.min(STREAK_MAX, (held == null ? 0 : held.streak()) + 1);
        long until = Math.max(told, clock + backOff.micros(streak, jitter));
        hold = held != null && held.until() > until
                ? new Hold(clock, held.until(), streak, true, Hold.NO_PROBE, held.reason())
                : new Hold(clock, until, streak, true, Hold.NO_PROBE, reason);
        return true;
    }
}
