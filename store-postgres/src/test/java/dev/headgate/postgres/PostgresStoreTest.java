package dev.headgate.postgres;

import dev.headgate.store.Backend;
import dev.headgate.store.StoreClock;
import dev.headgate.testkit.contract.StoreContract;
import org.junit.jupiter.api.AfterEach;

class PostgresStoreTest implements StoreContract {
    private final TestDatabase database = new TestDatabase();

    @Override
    public Backend open(StoreClock clock) {
        return reopen(clock);
    }

    @Override
    public Backend reopen(StoreClock clock) {
        return PostgresBackend.on(database.pool(), clock);
    }

    @AfterEach
    void closeDatabase() {
        database.close();
    }
}
