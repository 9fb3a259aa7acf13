package dev.headgate.postgres;

import dev.headgate.proof.contract.TamperContract;
import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;

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
