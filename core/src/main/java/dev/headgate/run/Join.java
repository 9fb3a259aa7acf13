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

    /** All must succeed; the first failure ends the wait. */
    static Join all() {
        return new All();
    }

    /** All must end, well or badly. */
    static Join settled() {
        return new Settled();
    }

    /** One must succeed; then the others are cancelled. */
    static Join firstSuccess() {
        return new FirstSuccess();
    }

    /** So many must succeed, at least 1; then the others are cancelled. */
    static Join quorum(int needed) {
        return new Quorum(needed);
    }

    /** How many of {@code total} children must succeed. */
    default int needed(int total) {
        return switch (this) {
            case All all -> total;
            case Settled settled -> 0;
            case FirstSuccess first -> Math.min(1, total);
            case Quorum(int needed) -> needed;
        };
    }
}
