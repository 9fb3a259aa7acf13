package dev.headgate.postgres;

import dev.headgate.store.Backend;
import dev.headgate.store.StoreProvider;

/** Opens {@code jdbc:postgresql:} URLs. */
public final class PostgresProvider implements StoreProvider {
    @Override
    public String scheme() {
        return "jdbc:postgresql:";
    }

    @Override
    public Backend open(String url) {
        return PostgresBackend.open(url);
    }

    @Override
    public Backend open(String url, String listenUrl) {
        return PostgresBackend.open(url, listenUrl);
    }
}
