package dev.headgate.cli.process;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteProcessTest implements ProcessContract {
    @TempDir
    Path store;

    @Override
    public String freshStore() {
        return "jdbc:sqlite:" + store.resolve("jobs.db");
    }
}
