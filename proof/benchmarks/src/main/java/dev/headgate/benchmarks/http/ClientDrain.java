package dev.headgate.benchmarks.http;

import dev.headgate.JsonJob;
import dev.headgate.limit.Limit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** A worker of a client as a process of its own, draining jobs that do nothing through a gate on each. */
final class ClientDrain {
    private static final int AIM = 3_000;
    private static final int CHUNK = 10_000;

    private ClientDrain() {}

    static void run(String kind, Served served, String program, Path script, int jobs, int slots)
            throws IOException, InterruptedException {
        String queue = "drain-" + program;
        served.headgate.policies().gate("every", gate -> gate.limit(Limit.concurrency(100_000)));
        for (int from = 0; from < jobs; from += CHUNK) {
            served.headgate.enqueueAllJson(IntStream.range(from, Math.min(jobs, from + CHUNK))
                    .mapToObj(i -> new JsonJob(
                            "noop", "{\"n\":1}", job -> job.queue(queue).gate("every")))
                    .toList());
        }
        Process worker = new ProcessBuilder(
                        program, script.toString(), served.server.url(), served.token, queue, String.valueOf(slots))
                .inheritIO()
                .start();
        try {
            int warm = jobs / 5;
            await(served, queue, jobs - warm, worker);
            long begin = System.nanoTime();
            long left = left(served, queue);
            await(served, queue, 0, worker);
            double perSecond = left / ((System.nanoTime() - begin) / 1e9);
            System.out.printf(
                    "%s  %s worker, %d slots, a gate on every job: %,.0f/s (%,d jobs after %,d to warm up), %s the figure of %,d/s%n",
                    kind, program, slots, perSecond, left, jobs - left, perSecond >= AIM ? "within" : "UNDER", AIM);
        } finally {
            worker.destroy();
            worker.waitFor();
        }
    }

    private static long left(Served served, String queue) {
        return served.headgate.demand().exactOverview().jobs().stream()
                .filter(count -> count.queue().equals(queue) && !count.state().isTerminal())
                .mapToLong(count -> count.jobs())
                .sum();
    }

    private static void await(Served served, String queue, long most, Process worker) {
        while (left(served, queue) > most) {
            if (!worker.isAlive()) {
                throw new IllegalStateException(
                        "expected the worker to drain %s, but it ended with %d".formatted(queue, worker.exitValue()));
            }
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        }
    }

    static boolean has(String program) {
        try {
            return new ProcessBuilder(List.of(program, "--version"))
                            .redirectErrorStream(true)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException | InterruptedException none) {
            return false;
        }
    }
}
