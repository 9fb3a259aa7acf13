package dev.headgate.benchmarks;

import dev.headgate.benchmarks.provider.ProviderBench;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Calls to providers that count them when they arrive, behind Headgate's gates and behind limiters in handlers. */
final class StrictProviders {
    private StrictProviders() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        // It warns of its own slow start.
        System.setProperty("org.slf4j.simpleLogger.log.org.jobrunr", "error");
        Path results = Path.of(System.getProperty("results", "proof/benchmarks/results"));
        try (Stores stores = new Stores(List.of(args))) {
            new ProviderBench(Versus.ground(stores), results).run(stores.kinds());
        }
    }
}
