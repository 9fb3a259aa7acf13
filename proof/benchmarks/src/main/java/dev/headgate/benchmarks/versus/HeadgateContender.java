package dev.headgate.benchmarks.versus;

import static dev.headgate.limit.Limit.budget;
import static dev.headgate.limit.Limit.concurrency;
import static dev.headgate.limit.Limit.rate;

import dev.headgate.Headgate;
import dev.headgate.JobOptions;
import dev.headgate.Policies;
import dev.headgate.job.JobType;
import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;

/** Headgate as a user would write it: public calls only, and a queue that has a limit, so that every claim asks its gate. */
final class HeadgateContender implements Contender {
    private record Work(long n) {}

    private static final JobType<Work> WORK = JobType.of("work", Work.class);
    private static final String QUEUE = "q";
    private static final int CALL = 10_000;
    private static final int SLOTS = 2_000;
    private static final long NEVER_MET = 1_000_000;

    private final Headgate headgate;
    private final Load load;

    HeadgateContender(String url, Load load) {
        this.headgate = Headgate.open(url);
        this.load = load;
        Policies policies = headgate.policies().queue(QUEUE, q -> q.maxInFlight(NEVER_MET));
        switch (load) {
            case PLAIN -> {}
            case LIMITED ->
                policies.gate("api", g -> g.limit(unmetRate()))
                        .gate("memory", g -> g.limit(budget(NEVER_MET)))
                        .gate("key:*", g -> g.limit(concurrency(3)));
            case HOT_RATE -> policies.gate("api", g -> g.limit(unmetRate()));
            case KEYED_RATE -> policies.gate("key:*", g -> g.limit(unmetRate()));
        }
    }

    private static dev.headgate.limit.Limit unmetRate() {
        return rate(NEVER_MET).per(Duration.ofSeconds(1)).burst(NEVER_MET);
    }

    @Override
    public void enqueueAll(long first, int count) {
        for (long from = first; from < first + count; from += CALL) {
            List<Work> call = LongStream.range(from, Math.min(first + count, from + CALL))
                    .mapToObj(Work::new)
                    .toList();
            headgate.enqueueAll(WORK, call, this::place);
        }
    }

    @Override
    public void enqueue(long number) {
        Work work = new Work(number);
        headgate.enqueue(WORK, work, job -> place(work, job));
    }

    private void place(Work work, JobOptions job) {
        job.queue(QUEUE);
        String key = "key:" + work.n() % Load.KEYS;
        switch (load) {
            case PLAIN -> {}
            case LIMITED -> job.gate("api").gate("memory").gate(key);
            case HOT_RATE -> job.gate("api");
            case KEYED_RATE -> job.gate(key);
        }
    }

    @Override
    public void work(LongConsumer handler) {
        headgate.handle(WORK, (work, job) -> handler.accept(work.n()));
        headgate.worker(QUEUE).slots(SLOTS).start();
    }

    @Override
    public void close() {
        headgate.close();
    }
}
