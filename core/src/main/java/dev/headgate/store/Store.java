package dev.headgate.store;

/**
 * A store that the program opens itself, such as {@code PostgresStore.on(dataSource)}. Give it to
 * {@link dev.headgate.Headgate#open(Store)}, and close it after that. Only Headgate implements this.
 */
public interface Store extends AutoCloseable {
    /** What this is, for people: kind, version and place, without secrets. */
    String describe();

    @Override
    void close();

    /**
     * Whether this process hears at once of what other processes write, or only at the next look of a worker.
     *
     * @param found what was seen, for people
     */
    record ListenCheck(State state, String found) {
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
}
