package dev.headgate.chaos;

import dev.headgate.Headgate;
import dev.headgate.Worker;
import dev.headgate.chaos.Load.Manner;
import dev.headgate.chaos.Load.Work;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.store.StoreUnavailableException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A client and a worker on a SQLite file on a disk that gets full and is freed again. It has to do all of it by itself,
 * because only the processes of its own namespace see that disk. Ends with 0 if nothing was lost and nothing ran twice.
 */
final class FullDiskMain {
    private static final int JOBS = 200;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private FullDiskMain() {}

    /** Arguments: a folder on a small disk. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Path disk = Path.of(args[0]);
        Map<Long, Integer> runs = new ConcurrentHashMap<>();
        List<JobId> acknowledged = new ArrayList<>();
        int refused = 0;
        try (Headgate headgate = Headgate.open("jdbc:sqlite:" + disk.resolve("jobs.db"))) {
            headgate.handle(Load.WORK, (work, job) -> {
                TimeUnit.MILLISECONDS.sleep(work.ms());
                runs.merge(job.id().value(), 1, Integer::sum);
            });
            Worker worker = headgate.worker("default").slots(2).start();
            for (int n = 0; n < JOBS / 2; n++) {
                acknowledged.add(headgate.enqueue(Load.WORK, work(n)).id());
            }
            Path ballast = disk.resolve("ballast");
            fill(ballast);
            for (int n = JOBS / 2; refused < 3; n++) {
                try {
                    acknowledged.add(headgate.enqueue(Load.WORK, work(n)).id());
                } catch (StoreUnavailableException full) {
                    refused++;
                }
            }
            Files.delete(ballast);
            long until = System.nanoTime() + PATIENCE.toNanos();
            for (int n = JOBS; n < 2 * JOBS && until - System.nanoTime() > 0; n++) {
                try {
                    acknowledged.add(headgate.enqueue(Load.WORK, work(n)).id());
                } catch (StoreUnavailableException stillFull) {
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
                }
            }
            int lost = 0;
            for (JobId id : acknowledged) {
                boolean isDone = headgate.await(id, PATIENCE)
                        .filter(end -> end.state() == JobState.SUCCEEDED)
                        .isPresent();
                lost += isDone ? 0 : 1;
            }
            long twice = runs.values().stream().filter(times -> times > 1).count();
            boolean isWhole = headgate.recount().isEmpty();
            worker.stop();
            System.err.printf(
                    "acknowledged %d, refused %d, lost %d, run twice %d, counters right %s%n",
                    acknowledged.size(), refused, lost, twice, isWhole);
            System.exit(lost == 0 && twice == 0 && isWhole && acknowledged.size() >= JOBS ? 0 : 1);
        }
    }

    private static Work work(long n) {
        return new Work(n, 5, 5, Manner.PLAIN);
    }

    private static void fill(Path ballast) throws IOException {
        byte[] block = new byte[4096];
        try (OutputStream to = Files.newOutputStream(ballast)) {
            while (true) {
                to.write(block);
            }
        } catch (IOException full) {
            if (!String.valueOf(full.getMessage()).contains("No space left")) {
                throw full;
            }
        }
    }
}
