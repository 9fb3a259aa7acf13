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
}
