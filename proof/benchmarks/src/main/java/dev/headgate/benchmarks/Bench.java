package dev.headgate.benchmarks;

import dev.headgate.benchmarks.versus.Contest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The door to all measurements: names of what to measure, then stores; everything on every store without any. */
final class Bench {
    private interface Measurement {
        void run(String[] stores) throws Exception;
    }

    private static final Map<String, Measurement> BY_NAME = new LinkedHashMap<>();

    static {
        BY_NAME.put("drain", stores -> Versus.run(Contest.DRAIN, stores));
        BY_NAME.put("enqueue", stores -> Versus.run(Contest.ENQUEUE, stores));
        BY_NAME.put("latency", stores -> Versus.run(Contest.LATENCY, stores));
        BY_NAME.put("limits", stores -> Versus.run(Contest.LIMITS, stores));
        BY_NAME.put("decisions", stores -> Versus.run(Contest.DECISIONS, stores));
        BY_NAME.put("worker", WorkerDrain::main);
        BY_NAME.put("turns", TurnDrain::main);
        BY_NAME.put("backlog", ClaimFlat::main);
        BY_NAME.put("wake", Latency::main);
        BY_NAME.put("accuracy", LimitAccuracy::main);
        BY_NAME.put("provider", StrictProviders::main);
        BY_NAME.put("fair", Fair::main);
        BY_NAME.put("unbound", NeverBinding::main);
        BY_NAME.put("defaults", FunctionDefaults::main);
        BY_NAME.put("lanes", ManyLanes::main);
        BY_NAME.put("hidden", Hidden::main);
        BY_NAME.put("idle", Idle::main);
        BY_NAME.put("queues", ManyQueues::main);
        BY_NAME.put("processes", Processes::main);
        BY_NAME.put("workflow", WorkflowDrain::main);
        BY_NAME.put("rooms", Rooms::main);
        BY_NAME.put("listings", Listings::main);
        BY_NAME.put("scale", Scale::main);
        BY_NAME.put("http", HttpFigures::main);
        BY_NAME.put("limiter", stores -> LimiterDecisions.main());
    }

    private Bench() {}

    public static void main(String[] args) throws Exception {
        List<String> names = new ArrayList<>();
        List<String> stores = new ArrayList<>();
        for (String arg : args) {
            if (Stores.ALL.contains(arg)) {
                stores.add(arg);
            } else if (arg.equals("all")) {
                names.addAll(BY_NAME.keySet());
            } else if (BY_NAME.containsKey(arg)) {
                names.add(arg);
            } else {
                System.err.printf(
                        "bench: unknown '%s'; expected any of %s, or all, and any of %s%n",
                        arg, String.join(", ", BY_NAME.keySet()), String.join(", ", Stores.ALL));
                System.exit(2);
            }
        }
        String[] chosen = (stores.isEmpty() ? Stores.ALL : stores).toArray(String[]::new);
        for (String name : names.isEmpty() ? BY_NAME.keySet() : names) {
            System.out.println("== " + name);
            Objects.requireNonNull(BY_NAME.get(name)).run(chosen);
        }
    }
}
