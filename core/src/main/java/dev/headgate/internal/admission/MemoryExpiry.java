package dev.headgate.internal.admission;

import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Hold;
import java.util.HashMap;
import java.util.Map;

/**
 * Says which parts of a gate's memory no longer count. Time-based limits forget by themselves. What a gate has learnt
 * counts for {@link #LEARNT_KEPT} after the last use: the value of an adaptive limit, a hold that waits for a probe and
 * its rejections in a row, what a shadow limit would have blocked, what pushed back, how much each share of a fair gate
 * has used.
 *
 * <p>Design note: the same is forgotten whether the gate is still stored or not. So a row that says nothing may be
 * deleted, and no decision changes because of that.
 */
public final class MemoryExpiry {
    /** How long what a gate has learnt counts after its last use, in microseconds. */
    static final long LEARNT_KEPT = 7 * 86_400 * Micros.PER_SECOND;

    private static final String ADAPTIVE = "a";

    private MemoryExpiry() {}

    /** The state without the parts that no longer count at this time. */
    static GateState faded(GateState state, long now) {
        if (state.leases() + state.units() > 0 || !isFaded(state, now)) {
            return state;
        }
        Map<String, String> entries = new HashMap<>(state.entries());
        entries.keySet().removeIf(MemoryExpiry::isLearnt);
        return new GateState(0, 0, state.seen(), state.isPaused(), null, null, entries);
    }

    private static boolean isFaded(GateState state, long now) {
        Hold hold = state.hold();
        long last = Math.max(state.seen(), hold == null ? 0 : hold.until());
        return last > 0 && now - last >= LEARNT_KEPT;
    }

    private static boolean isLearnt(String key) {
        return key.equals(StartLags.KEY)
                || key.equals(ADAPTIVE)
                || key.equals(Meters.SHADOW + ADAPTIVE)
                || key.startsWith(Meters.SHADOW_COUNT);
    }

    /**
     * Whether a gate without any memory would decide the same from this instant on, so that the row may be deleted.
     * Ignores the line.
     *
     * @param isNamed whether a policy names the gate: then an operator may ask how long its starts took, so these
     *     figures are kept like what it has learnt
     * @param instant some time ago: nothing is lost if the store's clock is set back no further than this
     */
    public static boolean isAsNew(
            GateKey key, GatePolicy policy, GateState.Stored stored, boolean isNamed, long instant) {
        // Gives back the places of permits that have ended.
        GateState state = GateLedger.restore(key, policy, stored, instant).state();
        if (state.leases() + state.units() > 0 || instant < state.seen() || isShut(state, instant)) {
            return false;
        }
        boolean isFaded = isFaded(state, instant);
        return (isFaded || !hasLearnt(policy, state.entries(), isNamed))
                && Meters.remembering(policy, state).areAsNew(instant, state.seen(), isFaded);
    }

    private static boolean isShut(GateState state, long clock) {
        Hold hold = state.hold();
        GateState.Reservation reservation = state.reservation();
        return (hold != null && !hold.isOver(clock)) || (reservation != null && clock < reservation.until());
    }

    private static boolean hasLearnt(GatePolicy policy, Map<String, String> entries, boolean isNamed) {
        String lags = entries.get(StartLags.KEY);
        return (lags != null && (isNamed || new StartLags(lags).rejectedAt() != null))
                || entries.keySet().stream().anyMatch(key -> key.startsWith(Meters.SHADOW_COUNT))
                || (policy.options().fair() != null && Line.isOwn(entries));
    }
}
