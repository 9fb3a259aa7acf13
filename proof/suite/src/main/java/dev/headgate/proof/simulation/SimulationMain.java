package dev.headgate.proof.simulation;

import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import dev.headgate.testkit.memory.MemoryBackend;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;

/** Runs many seeds and says how far it is; {@code ./check sim} calls it. */
public final class SimulationMain {
    private static final long SAY_EVERY_NANOS = 5_000_000_000L;

    private final Function<StoreClock, Backend> opener;
    private final PrintStream out;
    private final String store;
    private long firstSeed = 1;
    private long seeds = 100;
    private long events = 10_000;
    private boolean isOptionsShown;

    private SimulationMain(String store, Function<StoreClock, Backend> opener, PrintStream out) {
        this.store = store;
        this.opener = opener;
        this.out = out;
    }

    /** On the memory store. {@code [--seed N] [--seeds K] [--events M]} */
    public static void main(String[] args) {
        System.exit(run("memory", MemoryBackend::new, args, System.out));
    }

    /**
     * On any store.
     *
     * @return what the process should exit with: 0 if every promise was kept
     */
    public static int run(String store, Function<StoreClock, Backend> opener, String[] args, PrintStream out) {
        SimulationMain main = new SimulationMain(store, opener, out);
        return main.read(args) ? main.run() : 2;
    }

    private boolean read(String[] args) {
        for (int i = 0; i + 1 < args.length; i += 2) {
            long number;
            try {
                number = Long.parseLong(args[i + 1].replace("_", ""));
            } catch (NumberFormatException other) {
                out.printf("sim: expected a number after %s, got '%s'%n", args[i], args[i + 1]);
                return false;
            }
            switch (args[i]) {
                case "--seed" -> {
                    firstSeed = number;
                    seeds = 1;
                    isOptionsShown = true;
                }
                case "--seeds" -> seeds = number;
                case "--events" -> events = number;
                default -> {
                    out.printf("sim: expected --seed, --seeds or --events, got '%s'%n", args[i]);
                    return false;
                }
            }
        }
        if (args.length % 2 != 0) {
            out.printf("sim: expected a number after %s%n", args[args.length - 1]);
            return false;
        }
        return true;
    }

    /** What this thread has had of its core: on a busy machine that is less than the time that has passed. */
    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private int run() {
        Map<FaultKind, Long> byKind = new EnumMap<>(FaultKind.class);
        long begun = System.nanoTime();
        long cpuBegun = cpuNanos();
        long saidAt = begun;
        long allEvents = 0;
        long allFaults = 0;
        long overlaps = 0;
        long longestOverlap = 0;
        long calls = 0;
        long lates = 0;
        long last = firstSeed + seeds - 1;
        for (long seed = firstSeed; seed <= last; seed++) {
            Simulation simulation = new Simulation(seed, opener);
            if (isOptionsShown && seeds == 1) {
                out.println(simulation.options().text());
            }
            WorldResult result = simulation.run(events);
            allEvents += result.events();
            allFaults += result.faults();
            overlaps += result.overlaps();
            longestOverlap = Math.max(longestOverlap, result.longestOverlapNanos());
            calls += result.calls();
            lates += result.lates();
            result.byFault().forEach((kind, count) -> byKind.merge(kind, count, Long::sum));
            if (!result.isGood()) {
                new FailureReport(simulation.options(), opener, store, events).print(result, out);
                return 1;
            }
            long now = System.nanoTime();
            if (now - saidAt > SAY_EVERY_NANOS || seed == last) {
                saidAt = now;
                double seconds = (now - begun) / 1e9;
                double busy = (cpuNanos() - cpuBegun) / 1e9;
                out.printf(
                        "%,d of %,d seeds, %,d events, %,d faults, %,.0f events/s (%,.0f a second of one core)%n",
                        seed - firstSeed + 1, seeds, allEvents, allFaults, allEvents / seconds, allEvents / busy);
            }
            if (isOptionsShown && seeds == 1) {
                out.printf("hash of the history: %016x%n", result.hash());
            }
        }
        out.printf(
                "every promise was kept; %,d handlers met a successor after their lease was gone, for %,d ms at most%n",
                overlaps, longestOverlap / 1_000_000);
        out.printf("%,d calls were made; %,d starts came too late for theirs and were given back%n", calls, lates);
        byKind.forEach((kind, count) -> out.printf("  %,10d  %s: %s%n", count, kind, kind.text()));
        return 0;
    }
}
