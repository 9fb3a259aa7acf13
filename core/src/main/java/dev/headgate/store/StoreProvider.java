package dev.headgate.store;

/** Opens the store behind a URL; found by {@link java.util.ServiceLoader}. */
public interface StoreProvider {
    /** What the URL begins with, such as {@code jdbc:sqlite:}. */
    String scheme();

    /** Opens the store, creating or migrating its schema. */
    Backend open(String url);
}
