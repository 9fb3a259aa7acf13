package dev.headgate.store;

/** Opens the store behind a URL; found by {@link java.util.ServiceLoader}. */
public interface StoreProvider {
    /** What the URL begins with, such as {@code jdbc:sqlite:}. */
    String scheme();

    /** Opens the store, creating or migrating its schema. */
    Backend open(String url);

    /**
     * The same with a second URL of the same database, at which to listen for wake-ups.
     *
     * @throws IllegalArgumentException if this kind of store does not listen at a URL
     */
    default Backend open(String url, String listenUrl) {
        throw new IllegalArgumentException(
                "store %s: expected no second URL to listen at, got one; only PostgreSQL listens".formatted(scheme()));
    }
}
