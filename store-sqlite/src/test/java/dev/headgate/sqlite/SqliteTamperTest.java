package dev.headgate.sqlite;

import dev.headgate.proof.contract.TamperContract;
import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteTamperTest implements TamperContract {
    @TempDir
    Path folder;

    private int stores;

    @Override
    public String emptyUrl() {
        return "jdbc:sqlite:" + folder.resolve(++stores + ".db");
    }

    @Override
    public Backend open(String url, StoreClock clock) {
        return SqliteBackend.open(url, clock);
    }
}
