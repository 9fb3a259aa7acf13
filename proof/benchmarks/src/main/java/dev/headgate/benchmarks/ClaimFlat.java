package dev.headgate.benchmarks;

import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.job.Outcome;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.WorkerRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a claim costs as work piles up behind closed gates: the median turn that returns 50 jobs and claims 50, on a
 * store that holds little else and on one where a million jobs wait over 10,000 keys, 99 % of them blocked.
 */
final class ClaimFlat {
    private static final int CLAIM = 50;
    private static final int OPEN_KEYS = 100;
    private static final int TURNS = Integer.getInteger("turns", 140);

    private ClaimFlat() {}

    public static void main(String[] args) {
        int jobs = Integer.getInteger("jobs", 1_000_000);
        int keys = Integer.getInteger("keys", 10_000);
        try (Stores stores = new Stores(List.of(args))) {
            for (String kind : stores.kinds()) {
                double small = medianMicros(stores.freshUrl(kind), OPEN_KEYS * 300, OPEN_KEYS);
                double large = medianMicros(stores.freshUrl(kind), jobs, keys);
                System.out.printf(
                        "%s: claim of %d, median: %.0f us with %d jobs on %d keys; %.0f us with %d jobs on %d keys, %d blocked; ratio %.2f%n",
                        kind,
                        CLAIM,
                        small,
                        OPEN_KEYS * 300,
                        OPEN_KEYS,
                        large,
                        jobs,
                        keys,
                        keys - OPEN_KEYS,
                        large / small);
            }
        }
    }

    private static double medianMicros(String url, int jobs, int keys) {
        try (JobStore store = new JobStore(Stores.open(url))) {
            store.setPolicy(GateKey.gate("k*"), GatePolicy.of(Limit.concurrency(1)));
            Loads.enqueue(store, jobs, "q", i -> List.of("k" + i % keys));
            block(store, keys);
            return measure(store);
        }
    }

    /** Takes one job of every key, then gives back those of the keys that stay open. */
    private static void block(JobStore store, int keys) {
        register(store, "holder", keys);
        List<JobRow> held = new ArrayList<>();
        while (held.size() < keys) {
            held.addAll(store.turnaround(new TurnRequest("holder", List.of("q"), 500, List.of()))
                    .started());
        }
        settle(store);
        List<EndedLease> open = held.stream()
                .filter(job ->
                        Integer.parseInt(job.spec().lane().gates().getFirst().substring(1)) < OPEN_KEYS)
                .map(ClaimFlat::succeed)
                .toList();
        store.turnaround(new TurnRequest("holder", List.of("q"), 0, open));
    }

    /** Lets the doorbells of the enqueue be filed; nothing can start, since every key is taken. */
    private static void settle(JobStore store) {
        Turn turn;
        do {
            turn = store.turnaround(new TurnRequest("holder", List.of("q"), 1, List.of()));
        } while (Duration.ZERO.equals(turn.nextWake()));
    }

    /** The median turn that returns 50 jobs and claims 50 of the queue {@code q}. */
    static double measure(JobStore store) {
        register(store, "measured", CLAIM);
        List<EndedLease> ended = List.of();
        long[] micros = new long[TURNS];
        for (int turn = -50; turn < TURNS; turn++) {
            long begin = System.nanoTime();
            Turn answer = store.turnaround(new TurnRequest("measured", List.of("q"), CLAIM, ended));
            long took = System.nanoTime() - begin;
            if (answer.started().size() != CLAIM) {
                throw new IllegalStateException("turn %d: expected %d starts, got %d"
                        .formatted(turn, CLAIM, answer.started().size()));
            }
            ended = answer.started().stream().map(ClaimFlat::succeed).toList();
            if (turn >= 0) {
                micros[turn] = took / 1_000;
            }
        }
        Arrays.sort(micros);
        return micros[TURNS / 2];
    }

    private static void register(JobStore store, String worker, int slots) {
        store.register(
                new WorkerRow(worker, worker, List.of("q"), slots, 0, 0, List.of()), Duration.ofHours(1), List.of());
    }

    private static EndedLease succeed(JobRow job) {
        return new EndedLease(job, new Outcome.Succeeded(null));
    }
}
