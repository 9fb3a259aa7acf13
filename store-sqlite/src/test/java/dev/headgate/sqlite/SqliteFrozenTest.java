package dev.headgate.sqlite;

import dev.headgate.store.Backend;
import dev.headgate.store.StoreClock;
import dev.headgate.store.StoreProvider;
import dev.headgate.testkit.contract.FrozenContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteFrozenTest implements FrozenContract {
    @TempDir
    Path folder;

    private int stores;

    @Override
    public StoreProvider provider() {
        return new SqliteProvider();
    }

    @Override
    public String emptyUrl() {
        return "jdbc:sqlite:" + folder.resolve(++stores + ".db");
    }

    @Override
    public Backend open(String url, StoreClock clock) {
        return SqliteBackend.open(url, clock);
    }
}
