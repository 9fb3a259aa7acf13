package dev.headgate.limit;

import dev.headgate.internal.text.Names;

/**
 * What is paused: nothing of it starts until it is resumed, and what runs goes on. A name that ends in {@code *} pauses
 * every queue or gate with that beginning; a job type is named in full.
 */
public record Pause(Kind kind, String name) implements Comparable<Pause> {
    /** What can be paused. */
    public enum Kind {
        QUEUE,
        GATE,
        TYPE;

        /** The word used in stores, commands and messages. */
        public String text() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    public Pause {
        Names.check(kind.text(), name);
    }

    public static Pause queue(String name) {
        return new Pause(Kind.QUEUE, name);
    }

    public static Pause gate(String name) {
        return new Pause(Kind.GATE, name);
    }

    /** Jobs of this type alone; others of the same queue or gate go on. */
    public static Pause type(String name) {
        return new Pause(Kind.TYPE, name);
    }

    public boolean covers(GateKey key) {
        return switch (kind) {
            case QUEUE -> GateKey.queue(name).covers(key);
            case GATE -> GateKey.gate(name).covers(key);
            case TYPE -> false;
        };
    }

    /** The stored form, {@code queue:mail}. */
    public String text() {
        return kind.text() + ":" + name;
    }

    /** Reads back what {@link #text} wrote. */
    public static Pause parse(String text) {
        for (Kind kind : Kind.values()) {
            if (text.startsWith(kind.text() + ":")) {
                return new Pause(kind, text.substring(kind.text().length() + 1));
            }
        }
        throw new IllegalArgumentException(
                "pause: expected queue:, gate: or type: and a name, got '%s'".formatted(text));
    }

    @Override
    public int compareTo(Pause other) {
        return text().compareTo(other.text());
    }

    @Override
    public String toString() {
        return kind.text() + " " + name;
    }
}
