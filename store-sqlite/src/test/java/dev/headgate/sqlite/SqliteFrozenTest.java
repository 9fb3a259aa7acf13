package dev.headgate.sqlite;

import dev.headgate.proof.contract.FrozenContract;
import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import dev.headgate.spi.StoreProvider;
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
    public StoreProvider nextProvider() {
        return new SqliteProvider(new SqliteDialect(new SqliteDialect().files().withMigration("next")));
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
