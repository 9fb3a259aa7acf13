package dev.headgate.server;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteRunsTest extends RunsContract {
    @TempDir
    Path folder;

    @Override
    String freshStore() {
        return "jdbc:sqlite:" + folder.resolve("jobs.db");
    }
}
