package dev.headgate.benchmarks;

import static dev.headgate.handler.HandlerOptions.DEFAULT;

import com.sun.management.OperatingSystemMXBean;
import dev.headgate.Headgate;
import dev.headgate.Worker;
import dev.headgate.job.JobType;
import dev.headgate.resource.Headroom;
import dev.headgate.resource.Needs;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Workers that mind their room: a flood of heavy jobs with and without, beside the best number of slots that can be found by
 * hand, and what the checks cost a job that does nothing.
 */
final class Rooms {
    private record Nothing(int n) {}

    private static final JobType<Nothing> NOOP = JobType.of("noop", Nothing.class);
    private static final int CHUNK = 10_000;

    private Rooms() {}

    public static void main(String[] args) throws Exception {
        try (Stores stores = new Stores(List.of(args))) {
            for (String kind : stores.kinds()) {
                flood(stores, kind);
                overhead(stores, kind);
            }
        }
    }

    private static void flood(Stores stores, String kind) throws Exception {
        int jobs = Integer.getInteger("jobs", 100);
        int slots = Integer.getInteger("slots", 64);
        double best = 0;
        for (int fixed = 1; fixed <= 4; fixed++) {
            FloodProcess.End end = FloodProcess.run(stores.freshUrl(kind), false, fixed, jobs);
            report(kind, "%d slots by hand".formatted(fixed), end, jobs);
            best = end.isOutOfMemory() ? best : Math.max(best, jobs / end.seconds());
        }
        report(
                kind,
                "%d slots, room ignored".formatted(slots),
                FloodProcess.run(stores.freshUrl(kind), false, slots, jobs),
                jobs);
        FloodProcess.End minding = FloodProcess.run(stores.freshUrl(kind), true, slots, jobs);
        report(kind, "%d slots, minding room".formatted(slots), minding, jobs);
        if (!minding.isOutOfMemory()) {
            System.out.printf("%s: %.0f %% of the best by hand%n", kind, 100 * jobs / minding.seconds() / best);
        }
    }

    private static void report(String kind, String how, FloodProcess.End end, int jobs) {
        System.out.printf(
                "%s: %d heavy jobs, %s: %s%n",
                kind,
                jobs,
                how,
                end.isOutOfMemory() ? "OutOfMemoryError" : "%.1f jobs/s".formatted(jobs / end.seconds()));
    }

    /** Rounds take turns, so that a machine that slows down does so for both. */
    private static void overhead(Stores stores, String kind) throws InterruptedException {
        int rounds = Integer.getInteger("rounds", 7);
        int jobs = Integer.getInteger("noops", 50_000);
        List<Cost> without = new ArrayList<>();
        List<Cost> with = new ArrayList<>();
        drain(stores, kind, jobs, Headroom.ignored());
        drain(stores, kind, jobs, Headroom.system());
        for (int round = 0; round < rounds; round++) {
            without.add(drain(stores, kind, jobs, Headroom.ignored()));
            with.add(drain(stores, kind, jobs, Headroom.system()));
        }
        Cost before = Cost.median(without);
        Cost after = Cost.median(with);
        System.out.printf(
                "%s: a no-op job takes %.1f µs (%.1f µs of processor) without checks, %.1f µs (%.1f µs) with: %+.1f %% (%+.1f %%)%n",
                kind,
                before.wall(),
                before.processor(),
                after.wall(),
                after.processor(),
                100 * (after.wall() / before.wall() - 1),
                100 * (after.processor() / before.processor() - 1));
    }

    /** Microseconds per job. */
    private record Cost(double wall, double processor) {
        static Cost median(List<Cost> all) {
            return new Cost(
                    all.stream().mapToDouble(Cost::wall).sorted().toArray()[all.size() / 2],
                    all.stream().mapToDouble(Cost::processor).sorted().toArray()[all.size() / 2]);
        }
    }

    private static Cost drain(Stores stores, String kind, int jobs, Headroom room) throws InterruptedException {
        try (Headgate headgate = Headgate.open(stores.freshUrl(kind))) {
            CountDownLatch left = new CountDownLatch(jobs);
            // It needs a little, so that every check is made, and every job's share is kept and given back.
            headgate.handle(NOOP, (payload, job) -> left.countDown(), DEFAULT.needs(Needs.memory(1)));
            for (int from = 0; from < jobs; from += CHUNK) {
                List<Nothing> payloads = Collections.nCopies(Math.min(CHUNK, jobs - from), new Nothing(1));
                headgate.enqueueAll(NOOP, payloads, (payload, job) -> job.queue("q"));
            }
            System.gc();
            OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            long processor = system.getProcessCpuTime();
            long begin = System.nanoTime();
            try (Worker worker = headgate.worker("q").slots(500).headroom(room).start()) {
                left.await();
                Cost cost = new Cost(
                        (System.nanoTime() - begin) / 1e3 / jobs,
                        (system.getProcessCpuTime() - processor) / 1e3 / jobs);
                worker.stop();
                return cost;
            }
        }
    }
}
