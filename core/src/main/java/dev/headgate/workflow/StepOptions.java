package dev.headgate.workflow;

import dev.headgate.handler.HandlerOptions;
import dev.headgate.handler.RetryPolicy;
import dev.headgate.job.Attributes;
import dev.headgate.job.Cost;
import dev.headgate.job.JobSpec;
import dev.headgate.job.JobSpec.Dedup;
import dev.headgate.job.JobSpec.Order;
import dev.headgate.job.JobSpec.Tries;
import dev.headgate.job.JobType;
import dev.headgate.job.Lane;
import dev.headgate.job.RetryRule;
import dev.headgate.resource.Needs;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The options of the job that runs a step: its queue, gates, cost, attempts and time, and what an attempt takes of the
 * machine. Options may depend on the state; {@link #needs} and {@link #expected} may not, since a worker must know them
 * before it has a job. Not thread-safe.
 */
public final class StepOptions {
    private static final int ATTEMPTS_DEFAULT = 10;
    private static final int ATTEMPTS_MAX = 1_000_000;

    private String queue;
    private final TreeSet<String> gates = new TreeSet<>();
    private long cost = 1;
    private final Map<String, Long> costAt = new TreeMap<>();
    private final Map<String, String> labels = new TreeMap<>();
    private int priority;
    private @Nullable Duration timeout;
    private int attempts = ATTEMPTS_DEFAULT;
    private @Nullable RetryPolicy retry;
    private HandlerOptions handler = HandlerOptions.DEFAULT;
    private final List<String> faults = new ArrayList<>();
    private final boolean isAlwaysKnown;

    /**
     * The options of one step; for tests of options.
     *
     * @param queue where it waits unless the options say another
     * @param always what holds for all jobs of the step
     */
    public StepOptions(String queue, Consumer<StepOptions> always) {
        this.queue = queue;
        always.accept(this);
        isAlwaysKnown = true;
    }

    /** The queue it waits in. Default: the workflow's. */
    public StepOptions queue(String name) {
        queue = name;
        return this;
    }

    /** A gate it must pass, besides those already named; at most 16. Default: none. */
    public StepOptions gate(String name) {
        gates.add(name);
        return this;
    }

    /** A gate it must pass, and the units it takes there instead of its {@link #cost}. */
    public StepOptions gate(String name, long units) {
        costAt.put(name, units);
        return gate(name);
    }

    /** Units it takes of budgets and limits by cost, and of its run's {@code maxCostUnits}. Default: 1. */
    public StepOptions cost(long units) {
        cost = units;
        return this;
    }

    /** Higher goes first within its lane, -1000 to 1000. Default: 0. */
    public StepOptions priority(int higherFirst) {
        priority = higherFirst;
        return this;
    }

    /** A label of its job, besides those of the run; of a name that both have, this value counts. */
    public StepOptions label(String name, String value) {
        labels.put(name, value);
        return this;
    }

    /** How long one attempt may run. Default: for ever. */
    public StepOptions timeout(Duration perAttempt) {
        timeout = perAttempt;
        return this;
    }

    /** The most attempts. Default: 10. */
    public StepOptions attempts(int most) {
        attempts = most;
        return this;
    }

    /** When to try again. Default: {@link RetryPolicy#DEFAULT}. */
    public StepOptions retry(RetryPolicy policy) {
        retry = policy;
        return this;
    }

    /**
     * What one attempt takes of the machine, as {@link HandlerOptions#needs}. Default: what earlier runs have shown, if the
     * worker minds its room at all.
     */
    public StepOptions needs(Needs ofOneAttempt) {
        return ofType("needs", () -> handler = handler.needs(ofOneAttempt));
    }

    /** How long an attempt usually takes, as {@link HandlerOptions#expected}. Default: what earlier runs have shown. */
    public StepOptions expected(Duration usually) {
        return ofType("expected", () -> handler = handler.expected(usually));
    }

    private StepOptions ofType(String what, Runnable change) {
        if (isAlwaysKnown) {
            faults.add(
                    "%s: expected it in options that hold always, got it in those of one job; say (…, s -> s.%s(…), (state, s) -> …)"
                            .formatted(what, what));
            return this;
        }
        try {
            change.run();
        } catch (IllegalArgumentException fault) {
            faults.add(String.valueOf(fault.getMessage()));
        }
        return this;
    }

    /**
     * How a worker runs the jobs of the step, which all have the same type.
     *
     * @param what names the step in messages
     */
    public HandlerOptions handler(String what) {
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException("%s: %s".formatted(what, String.join("; ", faults)));
        }
        return handler;
    }

    /**
     * What a job of this type with this payload has by default: {@code (state, step) -> step.defaultsOf(ASK, state.question())}.
     * Its gates come on top of those already named; of all else, what the step says after this wins. A dedup key is left
     * out, because a step runs once anyway.
     *
     * @throws IllegalArgumentException that names the function of the type which threw, or returned what does not fit
     */
    public <T> StepOptions defaultsOf(JobType<T> type, T payload) {
        type.defaults(payload, new Defaults(this));
        return this;
    }

    /** The same for a type whose defaults do not depend on the payload. */
    public StepOptions defaultsOf(JobType<?> type) {
        List<String> computed = type.computed();
        if (!computed.isEmpty()) {
            throw new IllegalArgumentException(
                    "job type '%s': expected defaults that are the same for all payloads, got functions for %s; say defaultsOf(type, payload)"
                            .formatted(type.name(), String.join(", ", computed)));
        }
        type.constants(new Defaults(this));
        return this;
    }

    private record Defaults(StepOptions step) implements JobType.Defaults {
        @Override
        public void queue(String name) {
            step.queue(name);
        }

        @Override
        public void gate(String name) {
            step.gate(name);
        }

        @Override
        public void units(String gate, long units) {
            step.gate(gate, units);
        }

        @Override
        public void cost(long units) {
            step.cost(units);
        }

        @Override
        public void priority(int value) {
            step.priority(value);
        }

        @Override
        public void attempts(int most) {
            step.attempts(most);
        }

        @Override
        public void retry(RetryRule rule) {
            step.retry(rule instanceof RetryPolicy policy ? policy : RetryPolicy.parse(rule.text()));
        }

        @Override
        public void timeout(Duration perAttempt) {
            step.timeout(perAttempt);
        }

        @Override
        public void label(String name, String value) {
            step.label(name, value);
        }

        @Override
        public void dedup(String key, @Nullable Duration ttl) {}

        @Override
        public void dedupByContent(@Nullable Duration ttl) {}
    }

    /**
     * Checks all options and reports all faults at once.
     *
     * @param what names the step in messages
     */
    public JobSpec job(String what, String type, String payload) {
        if (attempts < 1 || attempts > ATTEMPTS_MAX) {
            faults.add("attempts: expected 1 to %d, got %d".formatted(ATTEMPTS_MAX, attempts));
        }
        if (timeout != null && (timeout.isZero() || timeout.isNegative())) {
            faults.add("timeout: expected a positive duration, got %s".formatted(timeout));
        }
        JobSpec spec = null;
        try {
            Order.checkPriority(priority);
            spec = new JobSpec(
                    new Lane(queue, List.copyOf(gates)),
                    type,
                    payload,
                    new Cost(cost, costAt),
                    new Order(priority, false, false),
                    Dedup.NONE,
                    new Tries(attempts, retry == null ? null : retry.text(), timeout, null),
                    Attributes.of(labels, Map.of()),
                    null);
        } catch (IllegalArgumentException fault) {
            faults.add(String.valueOf(fault.getMessage()));
        }
        if (spec == null || !faults.isEmpty()) {
            throw new IllegalArgumentException("%s: %s".formatted(what, String.join("; ", faults)));
        }
        return spec;
    }
}
