package dev.headgate.postgres;

import dev.headgate.proof.contract.StoreContract;
import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;

class PostgresStoreTest implements StoreContract {
    private final String url = TestServer.emptyStore();

    @Override
    public Backend open(StoreClock clock) {
        return reopen(clock);
    }

    @Override
    public Backend reopen(StoreClock clock) {
        return PostgresBackend.open(url, clock);
    }
}
