package dev.headgate.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.spi.Backend;
import dev.headgate.spi.WorkerRow;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteWatchTest {
    @TempDir
    private Path directory;

    @Test
    void everyCommitOfAnotherProcessIsSeen() throws Exception {
        String url = "jdbc:sqlite:" + directory.resolve("jobs.db");
        SqliteProvider provider = new SqliteProvider();
        Semaphore wakes = new Semaphore(0);
        try (Backend here = provider.open(url);
                Backend there = provider.open(url);
                Backend.Subscription subscription = here.listen(wake -> wakes.release())) {
            for (int i = 0; i < 100; i++) {
                wakes.drainPermits();
                String worker = "w" + i;
                there.write(tx -> {
                    tx.workers().insert(new WorkerRow(worker, worker, List.of("q"), 1, tx.now(), tx.now(), List.of()));
                    return null;
                });
                assertThat(wakes.tryAcquire(120, TimeUnit.SECONDS))
                        .as("a wake-up after commit %d", i)
                        .isTrue();
            }
        }
    }
}
