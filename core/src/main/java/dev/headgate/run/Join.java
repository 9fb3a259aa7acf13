package dev.headgate.run;

/** How many of its children a run waits for before it goes on. */
public sealed interface Join {
    /** All must succeed; the first that fails ends the wait, and the others are cancelled. */
    record All() implements Join {}

    /** All must end, well or badly; the reducer sees both. */
    record Settled() implements Join {}

    /** The first that succeeds ends the wait, and the others are cancelled. */
    record FirstSuccess() implements Join {}

    /** So many must succeed; then the others are cancelled. */
    record Quorum(int needed) implements Join {
        public Quorum {
            if (needed < 1) {
                throw new IllegalArgumentException("quorum: expected at least 1, got %d".formatted(needed));
            }
        }
    }

    static Join all() {
        return new All();
    }

    static Join settled() {
        return new Settled();
    }

    static Join firstSuccess() {
        return new FirstSuccess();
    }

    static Join quorum(int needed) {
        return new Quorum(needed);
    }

    /** How many of so many must succeed. */
    default int needed(int total) {
        return switch (this) {
            case All all -> total;
            case Settled settled -> 0;
            case FirstSuccess first -> Math.min(1, total);
            case Quorum(int needed) -> needed;
        };
    }
}
