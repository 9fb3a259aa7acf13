package dev.headgate.benchmarks;

import dev.headgate.benchmarks.versus.Comparison;
import dev.headgate.benchmarks.versus.Contest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Headgate beside its peers: every contender in a process of its own, on a fresh database of the same server. */
final class Versus {
    private Versus() {}

    static void run(Contest contest, String[] kinds) throws IOException, InterruptedException {
        int rounds = Integer.getInteger("rounds", 5);
        int jobs = Integer.getInteger("jobs", 100_000);
        Path results = Path.of(System.getProperty("results", "proof/benchmarks/results"));
        try (Stores stores = new Stores(List.of(kinds))) {
            Comparison comparison = new Comparison(ground(stores), rounds, jobs, System.getProperty("who", ""));
            for (String store : stores.kinds()) {
                comparison.run(contest, store, results);
            }
        }
    }

    static Comparison.Ground ground(Stores stores) {
        return new Comparison.Ground() {
            @Override
            public String fresh(String store) {
                return stores.freshUrl(store);
            }

            @Override
            public void discard(String url) {
                stores.discard(url);
            }
        };
    }
}
