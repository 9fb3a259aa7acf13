package dev.headgate.internal.admission;

import dev.headgate.limit.Limit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Places at a gate that are held without a job, by a limiter. Each has an end, so that one whose process died frees
 * itself: whoever locks the gate after that gives it back. They are part of the gate's own memory, so they are granted
 * and counted in one write, and a gate without any costs nothing more.
 */
public final class Permits {
    /** How many may be out at one gate: all of them are rewritten whenever the gate changes. */
    public static final int MAX = 1_000;

    static final String KEY = "m";
    private static final int RADIX = 36;

    private final GateLedger gate;
    private final TreeMap<Long, Held> byId = new TreeMap<>();

    private record Held(long units, long until) {}

    Permits(GateLedger gate, @Nullable String memory) {
        this.gate = gate;
        for (String entry : memory == null ? new String[0] : memory.split(",", -1)) {
            String[] parts = entry.split("\\.", -1);
            byId.put(number(parts[0]), new Held(number(parts[1]), number(parts[2])));
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

    /** What of a gate's memory is that of its limits: not them, not its line, and not how long starts take. */
    static Map<String, String> others(Map<String, String> memory) {
        if (!memory.containsKey(KEY) && !memory.containsKey(StartLags.KEY)) {
            return Line.withoutOwn(memory);
        }
        Map<String, String> others = new HashMap<>(memory);
        others.remove(KEY);
        others.remove(StartLags.KEY);
        return Line.withoutOwn(others);
    }

    /** What the gate remembers with them. */
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

    /** How many are out. */
    public long count() {
        return byId.size();
    }

    /** The units they hold. */
    public long units() {
        return byId.values().stream().mapToLong(Held::units).sum();
    }

    /** When the first of them ends; absent if none is out. */
    public @Nullable Long firstEnd() {
        Long first = null;
        for (Held held : byId.values()) {
            first = first == null ? Long.valueOf(held.until) : Long.valueOf(Math.min(first, held.until));
        }
        return first;
    }

    /**
     * Whether what starts now must hold a place: for a limit that counts places, or because it is the probe of a hold, which
     * must come back. Else there is nothing to give back, and nothing that could leak.
     */
    public boolean areNeeded() {
        return gate.shutter.hold != null || gate.policy().limits().stream().anyMatch(Limit::opensByRelease);
    }

    /**
     * Starts what {@link GateLedger#checkLimits} has admitted, and holds its place until then at the latest.
     *
     * @param margin the one of all gates that were asked together, 0 if none has one
     */
    public void grant(long id, long cost, long until, long margin, long now) {
        gate.take(id, cost, margin, now);
        byId.put(id, new Held(cost, until));
    }

    /** Starts what has been admitted without holding a place: nothing must be given back. Its call has not been made yet. */
    public void start(long cost, long margin, long now) {
        gate.take(0, cost, margin, now);
        gate.meters.takenWithoutPlace(new Start(gate.clock(now), margin), cost);
        gate.release(0, cost, ReleaseKind.OK);
    }

    /** Gives a place back; false if that has happened. What was granted counts from now if its margin is not over. */
    public boolean giveBack(long id, ReleaseKind how, Start start, long now) {
        Held held = byId.remove(id);
        if (held != null) {
            gate.release(id, held.units, how, start, now);
        }
        return held != null;
    }

    /** The call of what was only started has been made: it counts from now if its margin is not over. */
    public void end(long cost, Start start, long now) {
        if (start.latest() > gate.clock(now)) {
            gate.meters.endedWithoutPlace(start, cost, gate.moved(now));
            gate.touched = true;
        }
    }

    /** What was granted came too late to be used: as if it had never been. False if its place has been given back. */
    public boolean giveUp(long id, Start start, long now) {
        Held held = byId.remove(id);
        if (held != null) {
            gate.giveUp(id, held.units, start, now);
        }
        return held != null;
    }

    /** The same for what was only started. */
    public void giveUpStart(long cost, Start start, long now) {
        gate.meters.giveUp(start, cost, gate.moved(now));
        gate.touched = true;
    }

    public boolean isOut(long id) {
        return byId.containsKey(id);
    }

    /** What was granted turned out to cost something else; false if its place has been given back. */
    public boolean settle(long id, long actual, Start start, long now) {
        Held held = byId.get(id);
        if (held != null) {
            gate.settle(held.units, actual, start, now);
            byId.put(id, new Held(actual, held.until));
        }
        return held != null;
    }

    /** The same for what was only started: it holds no units. */
    public void settleStart(long charged, long actual, Start start, long now) {
        gate.settle(charged, actual, start, now);
        gate.inUse.add(charged - actual);
    }

    /** Holds a place longer; false if it has been given back. */
    public boolean renew(long id, long until) {
        Held held = byId.get(id);
        if (held != null) {
            byId.put(id, new Held(held.units, Math.max(until, held.until)));
            gate.touched = true;
        }
        return held != null;
    }

    /**
     * Gives back the places whose time is over. Each counts as lost when it ended, not when that was found out: until then its
     * holder may have made its call.
     */
    public void expire(long now) {
        if (byId.isEmpty()) {
            return;
        }
        for (Long id : List.copyOf(byId.keySet())) {
            Held held = byId.get(id);
            if (held != null && held.until <= now) {
                byId.remove(id);
                gate.release(id, held.units, ReleaseKind.LOST, new Start(held.until, 0), held.until);
            }
        }
    }

    /** Gives all places back, of a gate that has been cleared: none of them counts any more. */
    public void revoke() {
        byId.forEach((id, held) -> gate.release(id, held.units, ReleaseKind.UNKNOWN));
        byId.clear();
    }
}
