package dev.headgate.limit;

import dev.headgate.internal.text.Names;
import dev.headgate.job.Cost;
import dev.headgate.job.Lane;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Names one capacity: a gate that jobs name themselves, or the built-in gate of a queue; or the policy of a job type. Each
 * has a scope of its own, so a gate with the name of a queue is still another gate. Ordered, because gates are locked in key order.
 */
public record GateKey(Scope scope, String name) implements Comparable<GateKey> {
    /** What the capacity belongs to. Queues sort before gates: they are locked first. A job type has a policy and no capacity. */
    public enum Scope {
        QUEUE("queue"),
        GATE("gate"),
        TYPE("type");

        private final String text;

        Scope(String text) {
            this.text = text;
        }

        /** The word used in stores, commands and messages. */
        public String text() {
            return text;
        }

        public static Scope parse(String text) {
            for (Scope scope : values()) {
                if (scope.text.equals(text)) {
                    return scope;
                }
            }
            throw new IllegalArgumentException("scope: expected queue, gate or type, got '%s'".formatted(text));
        }
    }

    public GateKey {
        Names.check(scope.text(), name);
    }

    public static GateKey gate(String name) {
        return new GateKey(Scope.GATE, name);
    }

    public static GateKey queue(String name) {
        return new GateKey(Scope.QUEUE, name);
    }

    /** The name of the policy of a job type. */
    public static GateKey type(String name) {
        return new GateKey(Scope.TYPE, name);
    }

    /** Returns it, if it can be held, limited or passed: a queue or a gate. */
    public GateKey requireCapacity(String what) {
        if (scope == Scope.TYPE) {
            throw new IllegalArgumentException("%s: expected a queue or a gate, got %s".formatted(what, this));
        }
        return this;
    }

    /** The gates that the jobs of a lane must pass. Called for each job of a turn, so a plain lane allocates nothing. */
    public static List<GateKey> gatesOf(Lane lane) {
        if (lane.isPlain()) {
            return List.of();
        }
        List<GateKey> keys = new ArrayList<>(lane.gates().size());
        for (String gate : lane.gates()) {
            keys.add(gate(gate));
        }
        return keys;
    }

    /** What a job of this cost takes here. */
    public long unitsOf(Cost cost) {
        return scope == Scope.QUEUE ? cost.units() : cost.at(name);
    }

    /** Whether the name ends in {@code *}: it stands for every name with that beginning. */
    public boolean isPattern() {
        return name.endsWith("*");
    }

    /** Whether a policy or pause under this name applies to the other one: the same name, or one with this pattern's beginning. */
    public boolean covers(GateKey other) {
        return scope == other.scope
                && (name.equals(other.name)
                        || (isPattern() && other.name.regionMatches(0, name, 0, name.length() - 1)));
    }

    /** Reads back what {@link #text} wrote. */
    public static GateKey parse(String text) {
        int colon = text.indexOf(':');
        if (colon < 0) {
            throw new IllegalArgumentException("gate key: expected scope:name, got '%s'".formatted(text));
        }
        return new GateKey(Scope.parse(text.substring(0, colon)), text.substring(colon + 1));
    }

    /** The stored form, {@code queue:mail} or {@code gate:openai}. */
    public String text() {
        return scope.text() + ":" + name;
    }

    /** Written out, because every decision looks gates up by their keys, and stable in every process. */
    @Override
    public int hashCode() {
        return 31 * name.hashCode() + (scope == Scope.QUEUE ? 1 : scope == Scope.GATE ? 0 : 2);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || (other instanceof GateKey key && scope == key.scope && name.equals(key.name));
    }

    @Override
    public int compareTo(GateKey other) {
        int byScope = scope.compareTo(other.scope);
        return byScope != 0 ? byScope : name.compareTo(other.name);
    }

    @Override
    public String toString() {
        return scope.text() + " " + name;
    }
}
