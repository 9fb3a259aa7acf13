package dev.headgate;

import dev.headgate.admission.GateKey;
import dev.headgate.admission.GatePolicy;
import dev.headgate.transition.JobStore;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The stored limits of queues and gates. They hold for every worker at once, from the moment a method returns; a
 * policy that is stored already writes nothing, so it is fine to state all of them at every start of a program. A name
 * that ends in {@code *} covers all names with that beginning; the exact name wins over a pattern, a longer pattern over
 * a shorter one. Thread-safe.
 */
public final class Policies {
    private final JobStore store;

    Policies(JobStore store) {
        this.store = store;
    }

    /** Stores the limits of a queue: {@code queue("mail", q -> q.maxInFlight(20))}. */
    public Policies queue(String name, Consumer<PolicyBuilder> limits) {
        return put(GateKey.queue(name), limits);
    }

    /** Stores the limits of a gate: {@code gate("tenant:*", g -> g.limit(concurrency(3)))}. */
    public Policies gate(String name, Consumer<PolicyBuilder> limits) {
        return put(GateKey.gate(name), limits);
    }

    /** Lifts all limits of a queue, unless a pattern covers it. */
    public Policies removeQueue(String name) {
        return put(GateKey.queue(name), GatePolicy.OPEN);
    }

    /** Lifts all limits of a gate, unless a pattern covers it. */
    public Policies removeGate(String name) {
        return put(GateKey.gate(name), GatePolicy.OPEN);
    }

    /** Everything stored, in order. */
    public SortedMap<GateKey, GatePolicy> all() {
        return Collections.unmodifiableSortedMap(new TreeMap<>(store.policies().stored()));
    }

    private Policies put(GateKey key, Consumer<PolicyBuilder> limits) {
        PolicyBuilder builder = new PolicyBuilder();
        limits.accept(builder);
        return put(key, builder.build(key));
    }

    private Policies put(GateKey key, GatePolicy policy) {
        GatePolicy stored = store.policies().stored().getOrDefault(key, GatePolicy.OPEN);
        if (!stored.equals(policy)) {
            store.setPolicy(key, policy);
        }
        return this;
    }
}
