package dev.headgate.sqlite;

import dev.headgate.proof.simulation.SimulationMain;
import dev.headgate.testkit.memory.MemoryBackend;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Runs simulated worlds on the store that is asked for; {@code ./check sim} calls it. */
final class SqliteSimulation {
    private SqliteSimulation() {}

    public static void main(String[] args) {
        List<String> rest = new ArrayList<>(Arrays.asList(args));
        int at = rest.indexOf("--store");
        String store = at < 0 || at + 1 == rest.size() ? "memory" : rest.remove(at + 1);
        if (at >= 0) {
            rest.remove(at);
        }
        String[] left = rest.toArray(String[]::new);
        int status =
                switch (store) {
                    case "memory" -> SimulationMain.run(store, MemoryBackend::new, left, System.out);
                    case "sqlite" ->
                        SimulationMain.run(
                                store, clock -> SqliteBackend.open("jdbc:sqlite::memory:", clock), left, System.out);
                    default -> {
                        System.out.printf("sim: expected --store memory or sqlite, got '%s'%n", store);
                        yield 2;
                    }
                };
        System.exit(status);
    }
}
