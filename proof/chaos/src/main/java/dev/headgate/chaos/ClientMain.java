package dev.headgate.chaos;

import dev.headgate.Headgate;
import dev.headgate.chaos.Load.Work;
import dev.headgate.job.JobId;
import dev.headgate.store.StoreUnavailableException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues without end, as long as not too much waits, and writes a line before each request and after each answer. If
 * it is killed between the two, the outcome is unknown.
 */
final class ClientMain {
    private static final int WAITING_MAX = 150;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private ClientMain() {}

    /** Arguments: the store, the folder, the first number. */
    public static void main(String[] args) throws IOException {
        Folder folder = new Folder(Path.of(args[1]));
        long n = Long.parseLong(args[2]);
        long asked = Trail.read(folder.client()).stream()
                .filter(line -> line[1].equals("ACK"))
                .count();
        Set<String> ended = new HashSet<>();
        try (Trail trail = new Trail(folder.client());
                BufferedReader handlers = Files.newBufferedReader(folder.handlers());
                Headgate headgate = Headgate.open(args[0])) {
            System.out.println("ready");
            System.out.flush();
            while (true) {
                for (String line = handlers.readLine(); line != null; line = handlers.readLine()) {
                    String[] parts = line.split(",", -1);
                    if (parts.length == 6 && parts[3].equals("END")) {
                        ended.add(parts[1]);
                    }
                }
                if (asked - ended.size() > WAITING_MAX) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                    continue;
                }
                ask(headgate, trail, Load.work(n++));
                asked++;
            }
        }
    }

    /** Asks once; answers the job, or nothing if it was refused or is in doubt. */
    static @Nullable JobId ask(Headgate headgate, Trail trail, Work work) {
        trail.add(work.n(), "ASK", 0);
        try {
            JobId id = headgate.enqueue(Load.WORK, work, job -> Load.options(work, job))
                    .id();
            trail.add(work.n(), "ACK", id);
            return id;
        } catch (StoreUnavailableException away) {
            // What says that nothing was written is held to its word.
            boolean isSure = String.valueOf(away.getMessage()).contains("nothing was written");
            trail.add(work.n(), isSure ? "FAIL" : "UNKNOWN", 0);
            LockSupport.parkNanos(PAUSE_NANOS);
            return null;
        }
    }
}
