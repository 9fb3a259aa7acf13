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
import java.util.List;

/** Bare turnarounds without handlers: the ceiling of what a worker can drain. */
final class TurnDrain {
    private TurnDrain() {}

    public static void main(String[] args) {
        int jobs = Integer.getInteger("jobs", 100_000);
        int slots = Integer.getInteger("slots", 500);
        try (Stores stores = new Stores(List.of(args))) {
            for (String kind : stores.kinds()) {
                for (int keys : new int[] {0, 1000}) {
                    try (JobStore store = new JobStore(Stores.open(stores.freshUrl(kind)))) {
                        store.setPolicy(GateKey.queue("q"), new GatePolicy(Limit.parseAll("concurrency 100000")));
                        store.setPolicy(GateKey.gate("k*"), new GatePolicy(Limit.parseAll("concurrency 3")));
                        long begin = System.nanoTime();
                        Loads.enqueue(store, jobs, "q", i -> keys == 0 ? List.of() : List.of("k" + i % keys));
                        long enqueued = System.nanoTime();
                        int turns = drain(store, jobs, slots);
                        long drained = System.nanoTime();
                        System.out.printf(
                                "%s keys=%d enqueue %.0f/s drain %.0f/s, %d turns, drift %s%n",
                                kind,
                                keys,
                                jobs / ((enqueued - begin) / 1e9),
                                jobs / ((drained - enqueued) / 1e9),
                                turns,
                                store.recount());
                    }
                }
            }
        }
    }

    static int drain(JobStore store, int jobs, int slots) {
        store.register(
                new WorkerRow("w", "w", List.of("q"), slots, 0, 0, List.of()), Duration.ofMinutes(10), List.of());
        List<EndedLease> ended = List.of();
        int done = 0;
        int turns = 0;
        while (done < jobs) {
            Turn turn = store.turnaround(new TurnRequest("w", List.of("q"), slots, ended));
            turns++;
            done += ended.size();
            ended = turn.started().stream().map(TurnDrain::succeed).toList();
            if (turn.started().isEmpty() && done < jobs && !Duration.ZERO.equals(turn.nextWake())) {
                throw new IllegalStateException("stalled after " + done + " " + store.overview(10));
            }
        }
        store.deregister("w");
        return turns;
    }

    private static EndedLease succeed(JobRow job) {
        return new EndedLease(job, new Outcome.Succeeded(null));
    }
}
