package dev.headgate.sqlite.mutants;

import dev.headgate.proof.simulation.Simulation;
import dev.headgate.proof.simulation.Violation;
import dev.headgate.proof.simulation.WorldResult;
import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import dev.headgate.sqlite.SqliteBackend;
import dev.headgate.testkit.memory.MemoryBackend;
import java.util.Map;
import java.util.function.Function;

/**
 * Simulates world after world until a promise is broken. Is loaded with a mutant's classes, so it speaks with the test in
 * words that both know.
 */
public final class Trial implements Function<Map<String, String>, Map<String, String>> {
    private static final int EVENTS_PER_WORLD = 4_000;

    /** Simulates on this {@code store}, from this {@code seed}, for so many {@code events} at most. Empty if all went well. */
    @Override
    public Map<String, String> apply(Map<String, String> wish) {
        String store = wish.getOrDefault("store", "memory");
        long eventsMax = Long.parseLong(wish.getOrDefault("events", "0"));
        long events = 0;
        for (long seed = Long.parseLong(wish.getOrDefault("seed", "1")); events < eventsMax; seed++) {
            WorldResult result = new Simulation(seed, opener(store)).run(EVENTS_PER_WORLD);
            Violation broken = result.violation();
            if (broken != null) {
                return Map.of(
                        "invariant", broken.invariant(),
                        "what", broken.what(),
                        "events", String.valueOf(events + broken.atEvent()),
                        "seed", String.valueOf(seed));
            }
            events += result.events();
        }
        return Map.of();
    }

    private static Function<StoreClock, Backend> opener(String store) {
        return store.equals("sqlite") ? clock -> SqliteBackend.open("jdbc:sqlite::memory:", clock) : MemoryBackend::new;
    }
}
