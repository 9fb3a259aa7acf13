package dev.headgate.postgres;

import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import dev.headgate.testkit.contract.TamperContract;

class PostgresTamperTest implements TamperContract {
    @Override
    public String emptyUrl() {
        return TestServer.freshSchema();
    }

    @Override
    public Backend open(String url, StoreClock clock) {
        return PostgresBackend.open(url, clock);
    }
}
