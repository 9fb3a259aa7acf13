package dev.headgate.benchmarks;

import dev.headgate.internal.job.JobStore;
import dev.headgate.job.Cost;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Pause;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** What things cost as work grows, as curves: what waits, keys, processes, history, payloads, a foreign transaction. */
final class Scale {
    private static final Path RESULTS =
            Path.of(Objects.requireNonNull(System.getProperty("results", "proof/benchmarks/results")));
    static final long MOST = Long.getLong("most", 5_000_000);
    private static final long HISTORY_MOST = Long.getLong("history", 2 * MOST);
    private static final int JOBS = Integer.getInteger("jobs", 100_000);

    private interface Curve {
        void draw(Stores stores, String kind, Curves picture);
    }

    private record Drawing(Curves picture, Curve curve) {}

    private final Map<String, Drawing> drawings = new LinkedHashMap<>();

    private Scale() {
        String claim = "us for a claim of 50";
        drawings.put("backlog", new Drawing(new Curves("backlog", "jobs blocked", claim), Scale::backlog));
        drawings.put("keys", new Drawing(new Curves("keys", "keys in use", claim), Scale::keys));
        drawings.put("history", new Drawing(new Curves("history", "jobs ended", claim), Scale::history));
        String row = "us a row";
        drawings.put("prune", new Drawing(new Curves("prune", "jobs pruned", row), Housekeeping::prune));
        drawings.put("redrive", new Drawing(new Curves("redrive", "jobs redriven", row), Housekeeping::redrive));
        drawings.put("payload", new Drawing(new Curves("payload", "bytes of payload", "jobs/s"), Scale::payload));
        drawings.put("workers", new Drawing(new Curves("workers", "worker processes", "jobs/s"), Scale::workers));
        drawings.put("foreign", new Drawing(new Curves("foreign", "seconds", claim), ForeignTransaction::draw));
    }

    public static void main(String[] args) {
        String chosen =
                System.getProperty("curves", "backlog,keys,history,prune,redrive,payload,workers,foreign,memory");
        Scale scale = new Scale();
        try (Stores stores = new Stores(List.of(args))) {
            for (String name : chosen.split(",", -1)) {
                if (name.equals("memory")) {
                    Resident.measure(stores);
                } else {
                    scale.draw(name, stores);
                }
            }
        }
    }

    private void draw(String name, Stores stores) {
        Drawing drawing = drawings.get(name);
        if (drawing == null) {
            throw new IllegalArgumentException("curves: expected any of %s, memory, got '%s'"
                    .formatted(String.join(", ", drawings.keySet()), name));
        }
        for (String kind : stores.kinds()) {
            drawing.curve.draw(stores, kind, drawing.picture);
        }
        if (!drawing.picture.isEmpty()) {
            drawing.picture.write(RESULTS, "scale-" + name);
        }
    }

    /** One, ten, a hundred … up to the most, and that. */
    static List<Long> powers(long from, long most) {
        List<Long> sizes = new ArrayList<>();
        for (long size = from; size < most; size *= 10) {
            sizes.add(size);
        }
        sizes.add(most);
        return sizes;
    }

    /** A store with a hundred open keys, each good for one job at a time, and whatever else is put in first. */
    private static double claim(Stores stores, String kind, Consumer<Fill> filling) {
        String url = stores.freshUrl(kind);
        try (JobStore store = new JobStore(Stores.open(url))) {
            store.setPolicy(GateKey.gate("k*"), GatePolicy.parse("concurrency 1"));
            try (Fill fill = new Fill(url)) {
                filling.accept(fill);
                fill.settled();
            }
            Loads.enqueue(store, 30_000, "q", i -> List.of("k-open" + i % 100));
            return ClaimFlat.measure(store);
        } finally {
            stores.discard(url);
        }
    }

    private static void backlog(Stores stores, String kind, Curves picture) {
        claim(stores, kind, fill -> {}); // warms this process up
        for (long size : powers(1_000, MOST)) {
            int keys = (int) Math.min(10_000, size / 10);
            picture.add(kind, size, claim(stores, kind, fill -> fill.blocked(size, keys)));
        }
    }

    private static void history(Stores stores, String kind, Curves picture) {
        claim(stores, kind, fill -> {});
        picture.add(kind, 0, claim(stores, kind, fill -> {}));
        for (long size : powers(10_000, HISTORY_MOST)) {
            picture.add(kind, size, claim(stores, kind, fill -> fill.ended(size)));
        }
    }

    private static void keys(Stores stores, String kind, Curves picture) {
        claim(stores, kind, fill -> {});
        for (long keys : powers(1, Math.min(100_000, MOST))) {
            String url = stores.freshUrl(kind);
            try (JobStore store = new JobStore(Stores.open(url))) {
                store.setPolicy(GateKey.gate("k*"), GatePolicy.parse("concurrency 1000"));
                Loads.enqueue(store, (int) Math.max(30_000, keys), "q", i -> List.of("k" + i % keys));
                picture.add(kind, keys, ClaimFlat.measure(store));
            } finally {
                stores.discard(url);
            }
        }
    }

    private static void payload(Stores stores, String kind, Curves picture) {
        claim(stores, kind, fill -> {});
        for (int bytes : new int[] {100, 1_000, 10_000, 100_000}) {
            int jobs = Math.min(JOBS, 200_000_000 / bytes);
            String payload = "{\"text\":\"" + "x".repeat(bytes - 11) + "\"}";
            String url = stores.freshUrl(kind);
            try (JobStore store = new JobStore(Stores.open(url))) {
                long begin = System.nanoTime();
                int chunk = Math.max(1, Math.min(10_000, 20_000_000 / bytes));
                for (int from = 0; from < jobs; from += chunk) {
                    int count = Math.min(chunk, jobs - from);
                    store.enqueue(IntStream.range(0, count)
                            .mapToObj(i -> Loads.job("q", List.of(), "noop", payload, Cost.ONE))
                            .toList());
                }
                long enqueued = System.nanoTime();
                TurnDrain.drain(store, jobs, 500);
                picture.add(kind + " enqueue", bytes, jobs / ((enqueued - begin) / 1e9));
                picture.add(kind + " drain", bytes, jobs / ((System.nanoTime() - enqueued) / 1e9));
            } finally {
                stores.discard(url);
            }
        }
    }

    /** Jobs are enqueued while their queue is paused, so that all processes begin together. */
    private static void workers(Stores stores, String kind, Curves picture) {
        for (int count : new int[] {1, 2, 4, 8}) {
            String url = stores.freshUrl(kind);
            try (JobStore store = new JobStore(Stores.open(url))) {
                store.setPolicy(GateKey.queue("q"), GatePolicy.parse("concurrency 100000"));
                List<WorkerProcess> processes = IntStream.range(0, count)
                        .mapToObj(i -> WorkerProcess.start(url, "q", 500))
                        .toList();
                drain(store, 50_000 * count); // each process compiles its own code first
                picture.add(kind, count, JOBS / (drain(store, JOBS) / 1e9));
                processes.forEach(WorkerProcess::close);
            } finally {
                stores.discard(url);
            }
        }
    }

    /** Nanoseconds until these are done. */
    private static double drain(JobStore store, int jobs) {
        store.policyStore().pause(Pause.queue("q"), "benchmark", "until all are here");
        Loads.enqueue(store, jobs, "q", i -> List.of());
        long begin = System.nanoTime();
        store.policyStore().resume(Pause.queue("q"));
        while (Loads.live(store) > 0) {
            LockSupport.parkNanos(50_000_000);
        }
        return (double) System.nanoTime() - begin;
    }
}
