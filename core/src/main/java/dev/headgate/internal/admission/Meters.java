package dev.headgate.internal.admission;

import dev.headgate.internal.admission.InUse.KeptFree;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Margin;
import dev.headgate.limit.Rate;
import dev.headgate.limit.Spaced;
import dev.headgate.limit.Window;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All meters of a gate, and what the gate remembers beyond them.
 *
 * <p>Design note: what a changed policy keeps. Each meter finds its memory under {@link Limit#key}, which holds kind,
 * period and unit but not the count. A limit without a memory of its own takes over the memory of a limit of the same
 * kind and unit that is no longer in the policy, so changing a period does not reset a limit. Memory without a
 * successor is kept while it still matters, in case the limit comes back. Of several distances each remembers its own
 * starts, because margins may differ; one that is new, or takes the place of two, takes over what is the strictest.
 * Entries of kinds that this version does not know are kept as they are.
 */
final class Meters {
    static final String SHADOW = "~";
    static final String SHADOW_COUNT = "n.";
    private static final int KEPT_MAX = 64;
    private static final int FULL_PERCENT = 90;

    private final GatePolicy policy;
    private final Meter[] real;
    private final Meter[] shadows;
    private final long[] blockedByShadow;
    private final boolean isTimed;
    private final Map<String, String> kept;

    private Meters(
            GatePolicy policy,
            Meter[] real,
            Meter[] shadows,
            long[] blockedByShadow,
            boolean isTimed,
            Map<String, String> kept) {
        this.policy = policy;
        this.real = real;
        this.shadows = shadows;
        this.blockedByShadow = blockedByShadow;
        this.isTimed = isTimed;
        this.kept = kept;
    }

    /** Meters for a gate that has never been used. */
    static Meters fresh(GatePolicy policy) {
        Meter[] real = of(policy.limits());
        Meter[] shadows = of(policy.shadows());
        boolean isTimed = isAnyTimed(real) || isAnyTimed(shadows);
        return new Meters(policy, real, shadows, new long[shadows.length], isTimed, new HashMap<>());
    }

    private static Meter[] of(List<Limit> limits) {
        Meter[] meters = new Meter[limits.size()];
        for (int i = 0; i < meters.length; i++) {
            meters[i] = Meter.of(limits.get(i));
        }
        return meters;
    }

    private static boolean isAnyTimed(Meter[] meters) {
        for (Meter meter : meters) {
            if (meter.limit().isTimed()) {
                return true;
            }
        }
        return false;
    }

    /** Meters that continue from the stored memory; throws if it is unreadable. */
    static Meters remembering(GatePolicy policy, GateState state) {
        Meters meters = fresh(policy);
        Map<String, String> memory = Permits.others(state.entries());
        if (!memory.isEmpty()) {
            meters.kept.putAll(memory);
            meters.remember(state.seen());
            InUse inUse = new InUse(state.leases(), state.units());
            for (Meter meter : meters.real) {
                meter.closeOpen(inUse, state.seen());
            }
        }
        return meters;
    }

    /** Adds the margins of these limits, for a start of this cost now. */
    void pass(StartMargin deadline, long clock, long cost) {
        for (Meter meter : real) {
            deadline.pass(meter.limit(), meter.margin(clock, cost));
        }
    }

    private void remember(long seen) {
        List<Meter> without = new ArrayList<>();
        for (Meter meter : real) {
            String own = kept.remove(meter.limit().key(policy.limits()));
            if (own == null) {
                without.add(meter);
            } else {
                meter.remember(own, seen);
            }
        }
        for (Meter meter : without) {
            if (meter instanceof SpacedMeter distance) {
                FormerLimits.takeOverBesides(real, distance, seen);
            }
        }
        for (int i = 0; i < shadows.length; i++) {
            String key = shadows[i].limit().key(policy.shadows());
            String own = kept.remove(SHADOW + key);
            if (own != null) {
                shadows[i].remember(own, seen);
            }
            String count = kept.remove(SHADOW_COUNT + key);
            blockedByShadow[i] = count == null ? 0 : Long.parseLong(count);
        }
        if (kept.isEmpty()) {
            return;
        }
        kept.keySet().removeIf(key -> key.startsWith(SHADOW) || key.startsWith(SHADOW_COUNT));
        for (String key : List.copyOf(kept.keySet())) {
            String memory = kept.get(key);
            Meter old = FormerLimits.of(key, memory, seen);
            boolean isOver = old == null
                    ? key.startsWith(FormerLimits.SPACED)
                            && memory != null
                            && FormerLimits.isTakenOver(real, key, memory, seen)
                    : !old.isWorthKeeping(seen) || FormerLimits.takeOver(without, key, old, seen);
            if (isOver) {
                kept.remove(key);
            }
        }
        if (kept.size() > KEPT_MAX) {
            throw new IllegalArgumentException("gate memory: expected at most %d entries besides the limits', got %d"
                    .formatted(KEPT_MAX, kept.size()));
        }
    }

    /** When all of them admit the start: the greatest of their values. */
    long opens(long clock, long cost, InUse inUse, KeptFree reserved) {
        long latest = clock;
        for (Meter meter : real) {
            latest = Math.max(latest, meter.opens(clock, cost, inUse, reserved));
        }
        return latest;
    }

    /** The first meter that gives this value. */
    Meter firstWith(long answer, long clock, long cost, InUse inUse) {
        for (Meter meter : real) {
            if (meter.opens(clock, cost, inUse, KeptFree.NOTHING) == answer) {
                return meter;
            }
        }
        throw new IllegalStateException("limits: expected one of them to say %d".formatted(answer));
    }

    void take(Start start, long cost, InUse inUse) {
        long clock = start.at();
        for (Meter meter : real) {
            meter.take(start, cost);
        }
        for (int i = 0; i < shadows.length; i++) {
            // A start that would have been blocked does not count in the shadow limit.
            if (shadows[i].opens(clock, cost, inUse, KeptFree.NOTHING) > clock) {
                blockedByShadow[i]++;
            } else {
                shadows[i].take(start, cost);
            }
        }
    }

    void settle(long charged, long actual, Start start, long clock) {
        for (Meter meter : real) {
            meter.settle(charged, actual, start, clock);
        }
        for (Meter meter : shadows) {
            meter.settle(charged, actual, start, clock);
        }
    }

    /** The handler of a start has ended. */
    void ended(Start start, long cost, long clock) {
        for (Meter meter : real) {
            meter.ended(start, cost, clock);
        }
        for (Meter meter : shadows) {
            meter.ended(start, cost, clock);
        }
    }

    /** A start that holds no place: its end is not reported, so a limit that counts until the end counts it now. */
    void takenWithoutPlace(Start start, long cost) {
        for (Meter meter : real) {
            endOpen(meter, start, cost);
        }
        for (Meter meter : shadows) {
            endOpen(meter, start, cost);
        }
    }

    private static void endOpen(Meter meter, Start start, long cost) {
        if (meter.limit().opensByRelease()) {
            meter.ended(start, cost, start.at());
        }
    }

    /** The end of such a start, reported while its margin is not over. */
    void endedWithoutPlace(Start start, long cost, long clock) {
        for (Meter meter : real) {
            endTimed(meter, start, cost, clock);
        }
        for (Meter meter : shadows) {
            endTimed(meter, start, cost, clock);
        }
    }

    private static void endTimed(Meter meter, Start start, long cost, long clock) {
        if (!meter.limit().opensByRelease()) {
            meter.ended(start, cost, clock);
        }
    }

    /** Such a start needed more than it was charged. */
    void oweWithoutPlace(long debt, long clock) {
        for (Meter meter : real) {
            owe(meter, debt, clock);
        }
        for (Meter meter : shadows) {
            owe(meter, debt, clock);
        }
    }

    private static void owe(Meter meter, long debt, long clock) {
        if (meter instanceof TimedMeter timed) {
            timed.oweWithoutPlace(debt, clock);
        }
    }

    /** The worker of a start was lost. */
    void lost(Start start, long cost, long clock) {
        for (Meter meter : real) {
            meter.lost(start, cost, clock);
        }
        for (Meter meter : shadows) {
            meter.lost(start, cost, clock);
        }
    }

    /** A start did not happen after all. */
    void giveUp(Start start, long cost, long clock) {
        for (Meter meter : real) {
            meter.giveUp(start, cost, clock);
        }
        for (Meter meter : shadows) {
            meter.giveUp(start, cost, clock);
        }
    }

    void grow() {
        for (Meter meter : real) {
            meter.grow();
        }
        for (Meter meter : shadows) {
            meter.grow();
        }
    }

    void shrink() {
        for (Meter meter : real) {
            meter.shrink();
        }
        for (Meter meter : shadows) {
            meter.shrink();
        }
    }

    void exhaust(long clock) {
        for (Meter meter : real) {
            meter.exhaust(clock);
        }
    }

    /** Whether a limit over time is used to nine tenths or more. */
    boolean isFull(long clock, InUse inUse) {
        for (Meter meter : real) {
            if (meter.usedPercent(clock, inUse) >= FULL_PERCENT) {
                return true;
            }
        }
        return false;
    }

    /** How long after its grant all limits over time count this start: 0 if one of them counts it at its grant. */
    long covered(Start start) {
        long least = Margin.OPEN;
        for (Meter meter : real) {
            if (meter.limit().isTimed() && meter.limit().marginMicros() != Margin.OPEN) {
                least = Math.min(least, meter.limit().marginMicros() == 0 ? 0 : start.margin());
            }
        }
        return least;
    }

    /** After how long the slowest of them forgets a start; calendar periods aside. */
    long period() {
        long longest = 0;
        for (Meter meter : real) {
            longest = Math.max(
                    longest,
                    switch (meter.limit()) {
                        case Window window -> Micros.of(window.per());
                        case Rate rate -> rate.burst() * Micros.of(rate.per()) / rate.count();
                        case Spaced spaced -> Micros.of(spaced.per()) / spaced.count();
                        default -> 0;
                    });
        }
        return longest;
    }

    /** Whether what is remembered depends on the time of the last start. */
    boolean isTimed() {
        return isTimed;
    }

    /**
     * Whether all of them would decide the same from this time on if nothing had ever started here.
     *
     * @param isFaded the last use was so long ago that a distance that is no longer in the policy does not count any
     *     more
     */
    boolean areAsNew(long clock, long seen, boolean isFaded) {
        for (Meter meter : real) {
            if (!meter.isAsNew(clock)) {
                return false;
            }
        }
        for (Meter meter : shadows) {
            if (!meter.isAsNew(clock)) {
                return false;
            }
        }
        for (Map.Entry<String, String> other : kept.entrySet()) {
            Meter old = FormerLimits.of(other.getKey(), other.getValue(), seen);
            boolean isOver =
                    old == null ? isFaded && other.getKey().startsWith(FormerLimits.SPACED) : old.isAsNew(clock);
            if (!isOver) {
                return false;
            }
        }
        return true;
    }

    @Nullable
    Meter of(Limit limit) {
        for (Meter meter : real) {
            if (meter.limit().equals(limit)) {
                return meter;
            }
        }
        return null;
    }

    long blockedBy(Limit shadow) {
        for (int i = 0; i < shadows.length; i++) {
            if (shadows[i].limit().equals(shadow)) {
                return blockedByShadow[i];
            }
        }
        return 0;
    }

    Map<String, String> memory(long seen) {
        if (real.length + shadows.length + kept.size() == 0) {
            return Map.of();
        }
        Map<String, String> memory = new HashMap<>(kept);
        for (Meter meter : real) {
            put(memory, meter.limit().key(policy.limits()), meter.memory(seen));
        }
        for (int i = 0; i < shadows.length; i++) {
            String key = shadows[i].limit().key(policy.shadows());
            put(memory, SHADOW + key, shadows[i].memory(seen));
            put(memory, SHADOW_COUNT + key, blockedByShadow[i] == 0 ? null : Long.toString(blockedByShadow[i]));
        }
        return memory;
    }

    private static void put(Map<String, String> memory, String key, @Nullable String text) {
        if (text != null) {
            memory.put(key, text);
        }
    }

    Meters copy() {
        return new Meters(policy, copies(real), copies(shadows), blockedByShadow.clone(), isTimed, kept);
    }

    private static Meter[] copies(Meter[] meters) {
        Meter[] copies = new Meter[meters.length];
        for (int i = 0; i < meters.length; i++) {
            copies[i] = meters[i].copy();
        }
        return copies;
    }
}
