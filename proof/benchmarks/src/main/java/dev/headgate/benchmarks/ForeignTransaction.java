package dev.headgate.benchmarks;

import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.job.Outcome;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.spi.WorkerRow;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a turn costs while another program's transaction stays open, and after it has ended. PostgreSQL removes no dead
 * row that such a transaction could still see, so every job that comes and goes leaves its rows and index entries
 * behind.
 */
final class ForeignTransaction {
    private static final int SECONDS = Integer.getInteger("seconds", 180);
    private static final int STEP_SECONDS = Math.max(1, SECONDS / 12);
    private static final String NONE = "none";
    private static final int CLAIM = 50;
    private static final int KEYS = 100;

    private ForeignTransaction() {}

    static void draw(Stores stores, String kind, Curves picture) {
        if (kind.equals("sqlite")) {
            return; // a reader there keeps a snapshot of the file and slows nothing down
        }
        for (String name : List.of(NONE, "open for the first two thirds")) {
            String url = stores.freshUrl(kind);
            draw(url, name, picture);
            stores.discard(url);
        }
    }

    private static void draw(String url, String name, Curves picture) {
        boolean isOpen = !name.equals(NONE);
        try (JobStore store = new JobStore(Stores.open(url));
                Connection foreign = DriverManager.getConnection(url)) {
            store.setPolicy(GateKey.gate("k*"), GatePolicy.parse("concurrency 1"));
            store.register(
                    new WorkerRow("w", "w", List.of("q"), CLAIM, 0, 0, List.of()), Duration.ofHours(1), List.of());
            Loads.enqueue(store, 10_000, "q", i -> List.of("k" + i % KEYS));
            if (isOpen) {
                look(foreign);
            }
            run(store, isOpen ? foreign : null, name, picture);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void look(Connection foreign) throws SQLException {
        foreign.setAutoCommit(false);
        foreign.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        try (Statement statement = foreign.createStatement()) {
            statement.execute("select count(*) from headgate_meta");
        }
    }

    /** Turn after turn; whatever ends is enqueued anew, so that as much waits all the time. */
    private static void run(JobStore store, @Nullable Connection foreign, String name, Curves picture)
            throws SQLException {
        long begin = System.nanoTime();
        Connection open = foreign;
        List<EndedLease> ended = List.of();
        List<Long> micros = new ArrayList<>();
        int step = 1;
        int turns = 0;
        while (step <= SECONDS / STEP_SECONDS) {
            long before = System.nanoTime();
            Turn turn = store.turnaround(new TurnRequest("w", List.of("q"), CLAIM, ended));
            micros.add((System.nanoTime() - before) / 1_000);
            ended = turn.started().stream()
                    .map(job -> new EndedLease(job, new Outcome.Succeeded(null)))
                    .toList();
            int again = turns * CLAIM;
            if (!ended.isEmpty()) {
                Loads.enqueue(store, ended.size(), "q", i -> List.of("k" + (again + i) % KEYS));
            }
            turns++;
            double seconds = (System.nanoTime() - begin) / 1e9;
            if (seconds >= (double) step * STEP_SECONDS) {
                Collections.sort(micros);
                picture.add(name, (long) step * STEP_SECONDS, (double) micros.get(micros.size() / 2));
                micros.clear();
                step++;
            }
            if (open != null && seconds >= SECONDS * 2.0 / 3) {
                open.rollback();
                open = null;
            }
        }
        System.out.printf("foreign transaction %s: %,d turns%n", name, turns);
    }
}
