package dev.headgate.benchmarks.provider;

import dev.headgate.Headgate;
import dev.headgate.handler.RetryLater;
import dev.headgate.job.JobType;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import java.time.Duration;
import java.util.List;

/** Headgate as a user would write it: a gate with the provider's figures, and a handler that makes the call. */
final class HeadgateCaller implements Caller {
    private record Work(long job) {}

    private static final JobType<Work> CALL = JobType.of("call", Work.class);
    private static final String QUEUE = "q";
    private static final String PROVIDER = "provider";
    private static final String WARM_UP = "warm-up";

    /** Never met, but asked. */
    private static final String AMPLE = "window 100000/1s";

    private static final int AT_ONCE = 5_000;

    private final Headgate headgate;
    private final int slots;

    HeadgateCaller(String url, String limit, int slots) {
        this.headgate = Headgate.open(url);
        this.slots = slots;
        limit(PROVIDER, limit);
        limit(WARM_UP, AMPLE);
    }

    private void limit(String gate, String text) {
        headgate.policies()
                .replacing()
                .gate(gate, policy -> GatePolicy.parse(text).limits().forEach(policy::limit));
    }

    @Override
    public void enqueue(List<Long> jobs) {
        for (int from = 0; from < jobs.size(); from += AT_ONCE) {
            headgate.enqueueAll(
                    CALL,
                    jobs.subList(from, Math.min(jobs.size(), from + AT_ONCE)).stream()
                            .map(Work::new)
                            .toList(),
                    (work, job) -> job.queue(QUEUE).gate(Caller.isWarm(work.job()) ? WARM_UP : PROVIDER));
        }
    }

    @Override
    public void work(Endpoint provider) {
        headgate.handle(CALL, (work, job) -> {
            if (!provider.call(work.job())) {
                throw RetryLater.after(Duration.ofSeconds(1), "the provider answered 429");
            }
        });
        headgate.worker(QUEUE).slots(slots).start();
    }

    @Override
    public long lateStarts() {
        return headgate.overview().gates().stream()
                .filter(gate -> gate.key().equals(GateKey.gate(PROVIDER)))
                .mapToLong(gate -> gate.lag().lateStarts())
                .sum();
    }

    @Override
    public void close() {
        headgate.close();
    }
}
