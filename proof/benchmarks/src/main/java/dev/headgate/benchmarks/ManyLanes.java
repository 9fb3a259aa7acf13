package dev.headgate.benchmarks;

import dev.headgate.internal.job.JobStore;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import java.util.List;

/** As many lanes as jobs, each with a gate of its own, against one lane with all of them. */
final class ManyLanes {
    private ManyLanes() {}

    public static void main(String[] args) {
        int jobs = Integer.getInteger("jobs", 100_000);
        int slots = Integer.getInteger("slots", 500);
        try (Stores stores = new Stores(List.of(args))) {
            for (String kind : stores.kinds()) {
                measure(stores.freshUrl(kind), jobs / 10, slots, false);
                double one = measure(stores.freshUrl(kind), jobs, slots, false);
                double many = measure(stores.freshUrl(kind), jobs, slots, true);
                System.out.printf(
                        "%s: %d jobs in one lane %.0f/s, in a lane each %.0f/s: %.2f times as long%n",
                        kind, jobs, one, many, one / many);
            }
        }
    }

    private static double measure(String url, int jobs, int slots, boolean isEach) {
        try (JobStore store = new JobStore(Stores.open(url))) {
            store.setPolicy(GateKey.gate("k*"), GatePolicy.parse("concurrency 1000000"));
            Loads.enqueue(store, jobs, "q", i -> List.of(isEach ? "k" + i : "k"));
            long begin = System.nanoTime();
            TurnDrain.drain(store, jobs, slots);
            return jobs / ((System.nanoTime() - begin) / 1e9);
        }
    }
}
