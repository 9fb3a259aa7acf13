package dev.headgate.benchmarks;

import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.job.Outcome;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.NewJob;
import dev.headgate.spi.WorkerRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a tenant that floods a fair queue does to the others: ten tenants enqueue one job each before every turn, and one
 * worker of 16 slots serves them, first alone and then beside a backlog of another tenant. From enqueue to start, p95.
 */
final class Fair {
    private static final int TENANTS = 10;
    private static final int SLOTS = 16;
    private static final int ROUNDS = Integer.getInteger("turns", 400);
    private static final int WARM_UP = 100;

    private Fair() {}

    public static void main(String[] args) {
        int flood = Integer.getInteger("jobs", 100_000);
        try (Stores stores = new Stores(List.of(args))) {
            for (String kind : stores.kinds()) {
                double alone = p95Micros(stores.freshUrl(kind), 0);
                double beside = p95Micros(stores.freshUrl(kind), flood);
                System.out.printf(
                        "%s: p95 wait of %d tenants in a fair queue: %.0f us alone, %.0f us beside a flood of %d jobs; ratio %.2f%n",
                        kind, TENANTS, alone, beside, flood, beside / alone);
            }
        }
    }

    private static double p95Micros(String url, int flood) {
        try (JobStore store = new JobStore(Stores.open(url))) {
            store.setPolicy(GateKey.queue("q"), GatePolicy.parse("fair by tenant:*"));
            Loads.enqueue(store, flood, "q", i -> List.of("tenant:flood"));
            store.register(
                    new WorkerRow("w", "w", List.of("q"), SLOTS, 0, 0, List.of()), Duration.ofHours(1), List.of());
            return measure(store);
        }
    }

    private static double measure(JobStore store) {
        List<NewJob> batch = new ArrayList<>();
        for (int tenant = 0; tenant < TENANTS; tenant++) {
            batch.add(Loads.job("q", List.of("tenant:" + tenant)));
        }
        Map<Long, Long> begun = new HashMap<>();
        List<Long> waits = new ArrayList<>();
        List<EndedLease> ended = List.of();
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            long begin = System.nanoTime();
            store.enqueue(batch).forEach(row -> begun.put(row.id(), begin));
            Turn turn = store.turnaround(new TurnRequest("w", List.of("q"), SLOTS, ended));
            long now = System.nanoTime();
            for (JobRow job : turn.started()) {
                Long since = begun.remove(job.id());
                if (since != null && round >= 0) {
                    waits.add((now - since) / 1_000);
                }
            }
            ended = turn.started().stream()
                    .map(job -> new EndedLease(job, new Outcome.Succeeded(null)))
                    .toList();
        }
        if (waits.size() < ROUNDS * TENANTS * 9 / 10) {
            throw new IllegalStateException(
                    "expected about %d starts, got %d; the others starve".formatted(ROUNDS * TENANTS, waits.size()));
        }
        long[] sorted = waits.stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(sorted);
        return sorted[sorted.length * 95 / 100];
    }
}
