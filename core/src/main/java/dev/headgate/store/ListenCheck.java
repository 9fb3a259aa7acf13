package dev.headgate.store;

/**
 * Whether this process hears at once of what other processes write, or only at the next look of a worker.
 *
 * @param found what was seen, for people
 */
public record ListenCheck(State state, String found) {
    /** How it is. */
    public enum State {
        WORKS,
        /** The way to the store carries no wake-ups; known, and nothing is broken. */
        OFF,
        /** It should work and does not. */
        BROKEN
    }

    public static ListenCheck works(String found) {
        return new ListenCheck(State.WORKS, found);
    }

    public static ListenCheck off(String found) {
        return new ListenCheck(State.OFF, found);
    }

    public static ListenCheck broken(String found) {
        return new ListenCheck(State.BROKEN, found);
    }
}
