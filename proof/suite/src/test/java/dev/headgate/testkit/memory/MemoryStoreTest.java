package dev.headgate.testkit.memory;

import dev.headgate.proof.contract.StoreContract;
import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;

/** Memory passes every contract: it is the reference model of the others. */
class MemoryStoreTest implements StoreContract {
    private MemoryBackend last = new MemoryBackend();

    @Override
    public Backend open(StoreClock clock) {
        last = new MemoryBackend(clock);
        return last;
    }

    @Override
    public Backend reopen(StoreClock clock) {
        return last.reopen();
    }

    @Override
    public boolean isDurable() {
        return false;
    }
}
