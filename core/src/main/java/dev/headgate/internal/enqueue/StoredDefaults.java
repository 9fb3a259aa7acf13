package dev.headgate.internal.enqueue;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.json.ContentKey;
import dev.headgate.job.Attributes;
import dev.headgate.job.Cost;
import dev.headgate.job.JobSpec;
import dev.headgate.job.JobSpec.Dedup;
import dev.headgate.job.JobSpec.Order;
import dev.headgate.job.JobSpec.Tries;
import dev.headgate.job.JobType;
import dev.headgate.job.Lane;
import dev.headgate.job.RetryRule;
import dev.headgate.limit.TypePolicy;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The stored defaults of a job type, applied to a job that was described before: that of a schedule. Gates come on top. Of all else what the
 * description says wins; what is there as in a job of which nothing is said counts as not said.
 */
public final class StoredDefaults implements JobType.Defaults {
    private final JobSpec own;
    private final TreeSet<String> gates;
    private final TreeMap<String, Long> unitsAt = new TreeMap<>();
    private String queue;
    private long cost;
    private int priority;
    private int attempts;
    private @Nullable String retry;
    private @Nullable Duration timeout;
    private Dedup dedup;
    private final TreeMap<String, String> labels;

    private StoredDefaults(JobSpec own) {
        this.own = own;
        this.gates = new TreeSet<>(own.lane().gates());
        this.queue = own.lane().queue();
        this.cost = own.cost().units();
        this.priority = own.order().priority();
        this.attempts = own.tries().attemptsMax();
        this.retry = own.tries().retry();
        this.timeout = own.tries().timeout();
        this.dedup = own.dedup();
        this.labels = new TreeMap<>(own.attributes().labels());
    }

    /**
     * This job as these policies would have it.
     *
     * @throws IllegalArgumentException if it would pass too many gates
     */
    public static JobSpec applied(JobSpec job, PolicyBook book) {
        TypePolicy policy = book.typePolicy(job.type());
        if (policy == null || policy.defaults() == null) {
            return job;
        }
        StoredDefaults all = new StoredDefaults(job);
        policy.defaults().tell(all);
        return all.spec();
    }

    private JobSpec spec() {
        if (gates.size() > Lane.GATES_MAX) {
            throw new IllegalArgumentException(
                    "job of type '%s': gates: expected at most %d with the defaults of its type, got %d"
                            .formatted(own.type(), Lane.GATES_MAX, gates.size()));
        }
        unitsAt.putAll(own.cost().byGate());
        return new JobSpec(
                new Lane(queue, List.copyOf(gates)),
                own.type(),
                own.payload(),
                new Cost(cost, unitsAt),
                Order.of(priority, own.order().isFront(), own.order().keepsPlace()),
                dedup,
                new Tries(attempts, retry, timeout, own.tries().deadline()),
                Attributes.of(labels, own.attributes().headers()),
                own.frame());
    }

    @Override
    public void queue(String name) {
        queue = queue.equals(Lane.QUEUE_DEFAULT) ? name : queue;
    }

    @Override
    public void gate(String name) {
        gates.add(name);
    }

    @Override
    public void units(String gate, long units) {
        unitsAt.put(gate, units);
    }

    @Override
    public void label(String name, String value) {
        labels.putIfAbsent(name, value);
    }

    @Override
    public void cost(long units) {
        cost = cost == Cost.ONE.units() ? units : cost;
    }

    @Override
    public void priority(int value) {
        priority = priority == 0 ? value : priority;
    }

    @Override
    public void attempts(int most) {
        attempts = attempts == Tries.ATTEMPTS_DEFAULT ? most : attempts;
    }

    @Override
    public void retry(RetryRule policy) {
        retry = retry == null ? policy.text() : retry;
    }

    @Override
    public void timeout(Duration perAttempt) {
        timeout = timeout == null ? perAttempt : timeout;
    }

    @Override
    public void dedup(String key, @Nullable Duration ttl) {
        dedup = dedup.key() == null ? Dedup.of(key, ttl) : dedup;
    }

    @Override
    public void dedupByContent(@Nullable Duration ttl) {
        dedup = dedup.key() == null ? Dedup.of(ContentKey.of(own.type(), own.payload()), ttl) : dedup;
    }
}
