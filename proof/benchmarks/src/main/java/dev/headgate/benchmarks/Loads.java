package dev.headgate.benchmarks;

import dev.headgate.internal.job.JobStore;
import dev.headgate.job.Cost;
import dev.headgate.job.JobSpec;
import dev.headgate.job.JobSpec.Dedup;
import dev.headgate.job.JobSpec.Order;
import dev.headgate.job.JobSpec.Tries;
import dev.headgate.job.Lane;
import dev.headgate.spi.NewJob;
import dev.headgate.spi.NewJob.Due;
import dev.headgate.status.QueueCount;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

/** Jobs to measure with. */
final class Loads {
    private static final int CHUNK = 10_000;

    private Loads() {}

    /** Enqueues {@code count} small jobs; the function names the gates of each. */
    static void enqueue(JobStore store, int count, String queue, IntFunction<List<String>> gates) {
        enqueue(store, count, i -> job(queue, gates.apply(i)));
    }

    static void enqueue(JobStore store, int count, IntFunction<NewJob> jobs) {
        for (int from = 0; from < count; from += CHUNK) {
            List<NewJob> chunk = new ArrayList<>();
            for (int i = from; i < Math.min(count, from + CHUNK); i++) {
                chunk.add(jobs.apply(i));
            }
            store.enqueue(chunk);
        }
    }

    /** Jobs that have not ended; if they are very many, at least so many. */
    static long live(JobStore store) {
        return store.overview(1).jobs().stream()
                .filter(count -> !count.state().isTerminal())
                .mapToLong(QueueCount::jobs)
                .sum();
    }

    static NewJob job(String queue, List<String> gates) {
        return job(queue, gates, "noop", "{\"n\":1}", Cost.ONE);
    }

    static NewJob job(String queue, List<String> gates, String type, String payload, Cost cost) {
        JobSpec spec = new JobSpec(
                new Lane(queue, gates),
                type,
                payload,
                cost,
                Order.NORMAL,
                Dedup.NONE,
                new Tries(10, null, null, null),
                null);
        return new NewJob(spec, Due.NOW);
    }
}
