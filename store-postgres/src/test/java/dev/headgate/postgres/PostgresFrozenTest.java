package dev.headgate.postgres;

import dev.headgate.proof.contract.FrozenContract;
import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import dev.headgate.spi.StoreProvider;

class PostgresFrozenTest implements FrozenContract {
    @Override
    public StoreProvider provider() {
        return new PostgresProvider();
    }

    @Override
    public StoreProvider nextProvider() {
        return new PostgresProvider(
                new PostgresDialect(new PostgresDialect().files().withMigration("next")));
    }

    @Override
    public String emptyUrl() {
        return TestServer.freshSchema();
    }

    @Override
    public Backend open(String url, StoreClock clock) {
        return PostgresBackend.open(url, clock);
    }
}
