package dev.headgate.sqlite;

import dev.headgate.store.Backend;
import dev.headgate.store.StoreProvider;

/** Opens {@code jdbc:sqlite:} URLs. */
public final class SqliteProvider implements StoreProvider {
    @Override
    public String scheme() {
        return SqliteFile.SCHEME;
    }

    @Override
    public Backend open(String url) {
        return SqliteBackend.open(url);
    }
}
