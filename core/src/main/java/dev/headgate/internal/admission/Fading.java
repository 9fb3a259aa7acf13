package dev.headgate.internal.admission;

import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Hold;
import java.util.HashMap;
import java.util.Map;

/**
 * What of a gate's memory is over. Limits forget by themselves: their time decides. What a gate has learnt has no time of its
 * own, so it counts for {@link #LEARNT_KEPT} after the last use: the value of an adaptive limit, a hold that waits for a probe
 * and its rejections in a row, what a trial would have blocked, what pushed back, how much each share of a fair gate has had.
 *
 * <p>Design note: the same is forgotten whether the gate is still stored or not. So a row that says nothing may be deleted, and
 * no answer is another one because of it.
 */
public final class Fading {
    /** How long what a gate has learnt counts after its last use, in microseconds. */
    static final long LEARNT_KEPT = 7 * 86_400 * Micros.PER_SECOND;

    private static final String ADAPTIVE = "a";

    private Fading() {}

    /** The same without what does not count any more at this time. */
    static GateState faded(GateState state, long now) {
        if (state.leases() + state.units() > 0 || !isFaded(state, now)) {
            return state;
        }
        Map<String, String> entries = new HashMap<>(state.entries());
        entries.keySet().removeIf(Fading::isLearnt);
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
     * Whether a gate without any memory would answer as this one does from this instant on, so that its row may go. Its line
     * is not looked at.
     *
     * @param isNamed whether a policy names it: then people may ask how long its starts took, and that is kept as what it learnt
     * @param instant some time ago: if the store's clock is set back no further than to this, nothing is lost either
     */
    public static boolean isAsNew(
            GateKey key, GatePolicy policy, GateState.Stored stored, boolean isNamed, long instant) {
        // Gives back the places of permits whose time is over.
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
                || (policy.traits().fair() != null && Line.isOwn(entries));
    }
}
