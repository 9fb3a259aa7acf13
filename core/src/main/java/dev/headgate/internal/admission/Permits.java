package dev.headgate.internal.admission;

import dev.headgate.limit.Limit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Places at a gate that limiters hold, without a job. Each has an end, so that the place of a dead process becomes
 * free: the next transition that locks the gate gives it back. Permits are part of the gate's own memory, so they are
 * granted and counted in one write, and a gate without permits costs nothing more.
 */
public final class Permits {
    /** The most permits that one gate grants at a time: all of them are rewritten whenever the gate changes. */
    public static final int MAX = 1_000;

    static final String KEY = "m";
    private static final int RADIX = 36;

    private final GateLedger gate;
    private final TreeMap<Long, Taken> byId = new TreeMap<>();

    private record Taken(long units, long until) {}

    Permits(GateLedger gate, @Nullable String memory) {
        this.gate = gate;
        for (String entry : memory == null ? new String[0] : memory.split(",", -1)) {
            String[] parts = entry.split("\\.", -1);
            byId.put(number(parts[0]), new Taken(number(parts[1]), number(parts[2])));
        }
    }

    Permits(GateLedger gate, Permits other) {
        this.gate = gate;
        if (!other.byId.isEmpty()) {
            byId.putAll(other.byId);
        }
    }

    private static long number(String text) {
        return Long.parseLong(text, RADIX);
    }

    /** The part of a gate's memory that belongs to its limits: without permits, line, and the times of its starts. */
    static Map<String, String> others(Map<String, String> memory) {
        if (!memory.containsKey(KEY) && !memory.containsKey(StartLags.KEY)) {
            return Line.withoutOwn(memory);
        }
        Map<String, String> others = new HashMap<>(memory);
        others.remove(KEY);
        others.remove(StartLags.KEY);
        return Line.withoutOwn(others);
    }

    /** These entries and the permits. */
    Map<String, String> with(Map<String, String> others) {
        if (byId.isEmpty()) {
            return others;
        }
        StringBuilder text = new StringBuilder();
        byId.forEach((id, held) -> text.append(text.isEmpty() ? "" : ",")
                .append(Long.toString(id, RADIX))
                .append('.')
                .append(Long.toString(held.units, RADIX))
                .append('.')
                .append(Long.toString(held.until, RADIX)));
        Map<String, String> all = new HashMap<>(others);
        all.put(KEY, text.toString());
        return all;
    }

    /** How many permits are held. */
    public long count() {
        return byId.size();
    }

    /** The units that they hold. */
    public long units() {
        return byId.values().stream().mapToLong(Taken::units).sum();
    }

    /** When the first of them ends; absent if there is none. */
    public @Nullable Long firstEnd() {
        Long first = null;
        for (Taken held : byId.values()) {
            first = first == null ? Long.valueOf(held.until) : Long.valueOf(Math.min(first, held.until));
        }
        return first;
    }

    /**
     * Whether a start must hold a place now: for a limit that counts places, or as the probe of a hold, whose end must
     * be reported. Otherwise there is nothing to give back, and nothing can leak.
     */
    public boolean areNeeded() {
        return gate.closure.hold != null || gate.policy().limits().stream().anyMatch(Limit::opensByRelease);
    }

    /**
     * Starts what {@link GateLedger#checkLimits} has admitted, and holds its place until {@code until} at the latest.
     *
     * @param margin of all gates that were asked together; 0 if none has one
     */
    public void grant(long id, long cost, long until, long margin, long now) {
        gate.take(id, cost, margin, now);
        byId.put(id, new Taken(cost, until));
    }

    /** Starts what was admitted without holding a place: nothing must be given back. Its call has not been made yet. */
    public void start(long cost, long margin, long now) {
        gate.take(0, cost, margin, now);
        gate.meters.takenWithoutPlace(new Start(gate.clock(now), margin), cost);
        gate.release(0, cost, ReleaseKind.OK);
    }

    /** Gives a place back; false if it was given back before. If the margin is not over, the start counts from now. */
    public boolean giveBack(long id, ReleaseKind how, Start start, long now) {
        Taken held = byId.remove(id);
        if (held != null) {
            gate.release(id, held.units, how, start, now);
        }
        return held != null;
    }

    /** The call of a start without a place has been made: the start counts from now if its margin is not over. */
    public void end(long cost, Start start, long now) {
        if (start.latest() > gate.clock(now)) {
            gate.meters.endedWithoutPlace(start, cost, gate.moved(now));
            gate.touched = true;
        }
    }

    /** Undoes a grant that came too late to be used. False if its place was given back before. */
    public boolean giveUp(long id, Start start, long now) {
        Taken held = byId.remove(id);
        if (held != null) {
            gate.giveUp(id, held.units, start, now);
        }
        return held != null;
    }

    /** The same for a start without a place. */
    public void giveUpStart(long cost, Start start, long now) {
        gate.meters.giveUp(start, cost, gate.moved(now));
        gate.touched = true;
    }

    public boolean isOut(long id) {
        return byId.containsKey(id);
    }

    /** A permit turned out to have another cost; false if its place was given back before. */
    public boolean settle(long id, long actual, Start start, long now) {
        Taken held = byId.get(id);
        if (held != null) {
            gate.settle(held.units, actual, start, now);
            byId.put(id, new Taken(actual, held.until));
        }
        return held != null;
    }

    /** The same for a start without a place: it holds no units, so limits that count until the end count a debt now. */
    public void settleStart(long charged, long actual, Start start, long now) {
        gate.settle(charged, actual, start, now);
        gate.inUse.add(charged - actual);
        if (actual > charged) {
            gate.meters.oweWithoutPlace(actual - charged, gate.clock(now));
        }
    }

    /** Holds a place longer; false if it was given back before. */
    public boolean renew(long id, long until) {
        Taken held = byId.get(id);
        if (held != null) {
            byId.put(id, new Taken(held.units, Math.max(until, held.until)));
            gate.touched = true;
        }
        return held != null;
    }

    /**
     * Gives back the places that have ended. Each counts as lost at its end, not at the time of this call: its holder
     * may have made its call until then.
     */
    public void expire(long now) {
        if (byId.isEmpty()) {
            return;
        }
        for (Long id : List.copyOf(byId.keySet())) {
            Taken held = byId.get(id);
            if (held != null && held.until <= now) {
                byId.remove(id);
                gate.release(id, held.units, ReleaseKind.LOST, new Start(held.until, 0), held.until);
            }
        }
    }

    /** Gives all places back, after the gate was cleared: none of them counts any more. */
    public void revoke() {
        byId.forEach((id, held) -> gate.release(id, held.units, ReleaseKind.UNKNOWN));
        byId.clear();
    }
}
