package dev.headgate.sqlite;

import dev.headgate.proof.contract.StoreContract;
import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreTest implements StoreContract {
    @TempDir
    Path folder;

    @Override
    public Backend open(StoreClock clock) {
        return reopen(clock);
    }

    @Override
    public Backend reopen(StoreClock clock) {
        return SqliteBackend.open("jdbc:sqlite:" + folder.resolve("jobs.db"), clock);
    }
}
