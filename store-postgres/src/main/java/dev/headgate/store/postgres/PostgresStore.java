package dev.headgate.store.postgres;

import dev.headgate.postgres.PostgresBackend;
import dev.headgate.store.Store;
import javax.sql.DataSource;

/**
 * Jobs in PostgreSQL, on a data source or URL of the program. {@code Headgate.open(url)} does without this.
 *
 * <pre>{@code
 * try (Store store = PostgresStore.on(dataSource);
 *         Headgate headgate = Headgate.open(store)) { … }
 * }</pre>
 */
public final class PostgresStore {
    private PostgresStore() {}

    /** Uses the application's own data source, which stays the application's to close. */
    public static Store on(DataSource source) {
        return PostgresBackend.on(source);
    }

    /**
     * The same, where the data source leads to a pooler that loses notifications, or has few connections.
     *
     * @param listenUrl leads to the same database without a pooler between; one connection listens there
     */
    public static Store on(DataSource source, String listenUrl) {
        return PostgresBackend.on(source, listenUrl);
    }

    /** Opens {@code jdbc:postgresql://host/database?user=…} with a small pool of its own. */
    public static Store open(String url) {
        return PostgresBackend.open(url);
    }

    /**
     * The same, where the URL leads to a pooler that loses notifications, such as PgBouncer in transaction mode.
     *
     * @param listenUrl leads to the same database without a pooler between; one connection listens there
     */
    public static Store open(String url, String listenUrl) {
        return PostgresBackend.open(url, listenUrl);
    }
}
