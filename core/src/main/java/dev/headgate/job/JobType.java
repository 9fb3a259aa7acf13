package dev.headgate.job;

import dev.headgate.internal.text.Names;
import dev.headgate.job.Part.Taken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A kind of job: the name it is stored under, the Java type of its payload, usually a record, and what its jobs have
 * where their enqueue says nothing else: {@code JobType.of("ask", Question.class).queue("llm").gate("provider")
 * .gate(q -> "tenant:" + q.tenant()).cost(Question::tokens)}. Immutable: each method returns another type.
 *
 * <p>The name is what is stored; the class never is. Renaming or moving the class does not touch waiting jobs, and a
 * row in the store can never choose a class.
 *
 * <p>Default gates always stay: an enqueue adds to them and cannot take them off. Of all else the enqueue wins. A function
 * is called once for each job, before the options of the enqueue. If it throws, or returns null or what does not fit, the
 * enqueue fails with an {@link IllegalArgumentException} that names it, and nothing is stored.
 */
public final class JobType<T> {
    private final String name;
    private final Class<T> payload;
    private final List<Default<T>> defaults;

    /** Names of its gates, and for each function that names one that function. */
    private final Set<Object> gates;

    /**
     * One thing that it says.
     *
     * @param constant tells it without a payload; absent if it depends on that
     */
    private record Default<T>(String what, @Nullable Consumer<Defaults> constant, BiConsumer<T, Defaults> tell) {}

    private JobType(String name, Class<T> payload, List<Default<T>> defaults, Set<Object> gates) {
        this.name = Names.check("job type", name);
        this.payload = payload;
        this.defaults = List.copyOf(defaults);
        this.gates = gates;
    }

    /** A job type with this name, 1 to 200 characters, and without defaults. */
    public static <T> JobType<T> of(String name, Class<T> payload) {
        Names.check("job type", name);
        if (payload == null) {
            throw new IllegalArgumentException(
                    "job type '%s': expected the class of its payload, such as Question.class, got null"
                            .formatted(name));
        }
        return new JobType<>(name, payload, List.of(), Set.of());
    }

    /** The name that its jobs are stored under. */
    public String name() {
        return name;
    }

    /** The Java type of the payload. */
    public Class<T> payload() {
        return payload;
    }

    /** The queue of its jobs. Default: {@code default}. */
    public JobType<T> queue(String queue) {
        return constant("queue", Part.QUEUE, queue);
    }

    /** The queue of each job, by its payload. */
    public JobType<T> queue(Function<? super T, String> queue) {
        return computed("queue", Part.QUEUE, queue);
    }

    /** A gate that all its jobs pass, besides those already named; at most 16 for a job. */
    public JobType<T> gate(String gate) {
        return gated(gate).constant(nextGate(), Part.GATE, gate);
    }

    /** A gate that all its jobs pass, and the units that they take there instead of their {@link #cost}. */
    public JobType<T> gate(String gate, long units) {
        return gated(gate).constant(nextGate(), Part.TAKEN, new Taken(gate, units));
    }

    /** The same, with units by the payload. */
    public JobType<T> gate(String gate, ToLongFunction<? super T> units) {
        Names.check("gate", gate);
        return gated(gate).computed(nextGate(), Part.TAKEN, job -> new Taken(gate, units.applyAsLong(job)));
    }

    /** A gate that each job passes, by its payload: {@code gate(q -> "tenant:" + q.tenant())}. */
    public JobType<T> gate(Function<? super T, String> gate) {
        return gated(gate).computed(nextGate(), Part.GATE, gate);
    }

    /** The same, with the units that each job takes there. */
    public JobType<T> gate(Function<? super T, String> gate, ToLongFunction<? super T> units) {
        return gated(gate).computed(nextGate(), Part.TAKEN, job -> new Taken(gate.apply(job), units.applyAsLong(job)));
    }

    /** Units that its jobs take of budgets and of limits by cost; 0 passes these freely. Default: 1. */
    public JobType<T> cost(long units) {
        return constant("cost", Part.COST, units);
    }

    /** The units of each job, by its payload: {@code cost(Question::tokens)}. */
    public JobType<T> cost(ToLongFunction<? super T> units) {
        return computed("cost", Part.COST, units::applyAsLong);
    }

    /** Higher goes first within a lane; -1000 to 1000. Default: 0. */
    public JobType<T> priority(int value) {
        return constant("priority", Part.PRIORITY, value);
    }

    /** The priority of each job, by its payload. */
    public JobType<T> priority(ToIntFunction<? super T> value) {
        return computed("priority", Part.PRIORITY, value::applyAsInt);
    }

    /** How often a job may be tried, the first time included. Default: 10. */
    public JobType<T> attempts(int most) {
        return constant("attempts", Part.ATTEMPTS, most);
    }

    /** The attempts of each job, by its payload. */
    public JobType<T> attempts(ToIntFunction<? super T> most) {
        return computed("attempts", Part.ATTEMPTS, most::applyAsInt);
    }

    /** When to try again, as a {@code RetryPolicy}. Default: the handler's. */
    public JobType<T> retry(RetryRule policy) {
        return constant("retry", Part.RETRY, policy);
    }

    /** When to try each job again, by its payload. */
    public JobType<T> retry(Function<? super T, ? extends RetryRule> policy) {
        return computed("retry", Part.RETRY, policy);
    }

    /** How long one attempt may run. Default: the handler's timeout. */
    public JobType<T> timeout(Duration perAttempt) {
        return constant("timeout", Part.TIMEOUT, perAttempt);
    }

    /** How long one attempt of each job may run, by its payload. */
    public JobType<T> timeout(Function<? super T, Duration> perAttempt) {
        return computed("timeout", Part.TIMEOUT, perAttempt);
    }

    /** A label of all its jobs: {@code label("team", "mail")}. An enqueue adds others, or says another value. */
    public JobType<T> label(String label, String value) {
        return constant("label", Part.label(label), value);
    }

    /** A label of each job, by its payload: {@code label("tenant", Question::tenant)}. */
    public JobType<T> label(String label, Function<? super T, String> value) {
        return computed("label", Part.label(label), value);
    }

    /** At most one live job carries the key that this makes of a payload: {@code dedup(order -> "invoice:" + order.number())}. */
    public JobType<T> dedup(Function<? super T, String> key) {
        return computed("dedup", Part.dedup(null), key);
    }

    /** The same, but after {@code ttl} the key is free although the job may still live. */
    public JobType<T> dedup(Function<? super T, String> key, Duration ttl) {
        return computed("dedup", Part.dedup(Part.checkSpan("dedup", ttl)), key);
    }

    /** At most one live job of this type has the same payload. */
    public JobType<T> dedupByContent() {
        return constant("dedup", said -> said.dedupByContent(null));
    }

    /** The same, but after {@code ttl} another one may come although the first still lives. */
    public JobType<T> dedupByContent(Duration ttl) {
        Duration lasts = Part.checkSpan("dedup", ttl);
        return constant("dedup", said -> said.dedupByContent(lasts));
    }

    /**
     * Tells the defaults of a job with this payload.
     *
     * @throws IllegalArgumentException that names the function which threw, or returned what does not fit
     */
    public void defaults(T job, Defaults said) {
        for (int i = 0; i < defaults.size(); i++) {
            defaults.get(i).tell.accept(job, said);
        }
    }

    /** Tells only the defaults that are the same for all payloads. */
    public void constants(Defaults said) {
        for (Default<T> each : defaults) {
            if (each.constant != null) {
                each.constant.accept(said);
            }
        }
    }

    /** The defaults that are functions of the payload, by the names that messages have for them; empty if none is. */
    public List<String> computed() {
        return defaults.stream()
                .filter(each -> each.constant == null)
                .map(Default::what)
                .toList();
    }

    /** Checks it now, so that a wrong value is told where it is written. */
    private <V> JobType<T> constant(String what, Part<V> part, V value) {
        V checked = check(what, part, value);
        return constant(what, said -> part.tell().accept(said, checked));
    }

    private JobType<T> constant(String what, Consumer<Defaults> tell) {
        return with(new Default<>(what, tell, (job, said) -> tell.accept(said)));
    }

    private <V> JobType<T> computed(String what, Part<V> part, Function<? super T, ? extends @Nullable V> code) {
        return with(new Default<>(what, null, (job, said) -> part.tell().accept(said, call(what, part, code, job))));
    }

    private <V> V call(String what, Part<V> part, Function<? super T, ? extends @Nullable V> code, T job) {
        V value;
        try {
            value = code.apply(job);
        } catch (RuntimeException | AssertionError | LinkageError | StackOverflowError thrown) {
            throw fault("%s: expected %s from its function, got %s".formatted(what, part.wanted(), thrown), thrown);
        }
        if (value == null) {
            throw fault("%s: expected %s from its function, got null".formatted(what, part.wanted()), null);
        }
        return check(what, part, value);
    }

    private <V> V check(String what, Part<V> part, V value) {
        try {
            return part.check().apply(what, value);
        } catch (IllegalArgumentException unfit) {
            throw fault(String.valueOf(unfit.getMessage()), unfit);
        }
    }

    private JobType<T> with(Default<T> more) {
        List<Default<T>> all = new ArrayList<>(defaults);
        all.add(more);
        return new JobType<>(name, payload, all, gates);
    }

    private IllegalArgumentException fault(String message, @Nullable Throwable cause) {
        return new IllegalArgumentException("job type '%s': default %s".formatted(name, message), cause);
    }

    /** Checks the number of gates where the one too many is written. */
    private JobType<T> gated(@Nullable Object gate) {
        Set<Object> all = new HashSet<>(gates);
        if (gate != null) { // what is missing is refused with its part
            all.add(gate);
        }
        if (all.size() > Lane.GATES_MAX) {
            throw fault(
                    "%s: expected at most %d gates for a job, got one more".formatted(nextGate(), Lane.GATES_MAX),
                    null);
        }
        return new JobType<>(name, payload, defaults, Set.copyOf(all));
    }

    /** Gates by functions have no name to tell them by. */
    private String nextGate() {
        long gates =
                defaults.stream().filter(each -> each.what.startsWith("gate")).count();
        return gates == 0 ? "gate" : "gate (number %d)".formatted(gates + 1);
    }

    @Override
    public String toString() {
        return "job type '%s'".formatted(name);
    }

    /** Is told what a job type says of its jobs, by one call for each part, in the order in which the type says them; see {@link #defaults}. */
    public interface Defaults {
        void queue(String name);

        /** A gate, besides those already told. */
        void gate(String name);

        /** The units that are taken at a gate that was told. */
        void units(String gate, long units);

        void cost(long units);

        void priority(int value);

        void attempts(int most);

        void retry(RetryRule policy);

        void timeout(Duration perAttempt);

        void label(String name, String value);

        /** A key, and how long it lasts; absent: as long as the job lives. */
        void dedup(String key, @Nullable Duration ttl);

        /** The key is made of the job type and the payload. */
        void dedupByContent(@Nullable Duration ttl);
    }
}
