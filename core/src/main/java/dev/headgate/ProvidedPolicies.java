package dev.headgate;

import dev.headgate.internal.enqueue.BesideJobs;
import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.policy.PolicyRequest;
import dev.headgate.internal.time.Ticker;
import dev.headgate.internal.worker.BacklogWait;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.policy.PolicyEdit;
import dev.headgate.spi.JobTable.Inserted;
import dev.headgate.spi.NewJob;
import dev.headgate.store.CallerTransaction;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Asks a program's own function for limits, once for each name, and stores what it says before a job needs it. */
final class ProvidedPolicies {
    private static final String AUTHOR = "provider";

    /** Names remembered as asked for; beyond that they are forgotten and asked for again, which changes nothing. */
    private static final int ASKED_MAX = 100_000;

    private final JobStore store;
    private final Set<GateKey> asked = ConcurrentHashMap.newKeySet();
    private final Set<String> registered = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Function<GateKey, Optional<GatePolicy>> provider;

    ProvidedPolicies(JobStore store) {
        this.store = store;
    }

    /** Job types whose defaults the program has stored by itself. */
    Set<String> registered() {
        return registered;
    }

    void provider(Function<GateKey, Optional<GatePolicy>> limitsOf) {
        provider = limitsOf;
        asked.clear();
    }

    /** Enqueues these jobs, once the limits of all names that they are the first to use here are stored. */
    List<Inserted> enqueue(JobGraph.Order order, BesideJobs beside) {
        store(order.jobs());
        return BacklogWait.enqueue(
                store, Ticker.SYSTEM, order.jobs(), (tx, rows) -> beside.write(tx, rows.map(order::asked)));
    }

    /** Stores the limits of all names that these jobs are the first to use here. */
    void store(Collection<NewJob> jobs) {
        Map<GateKey, PolicyEdit> edits = new TreeMap<>();
        Set<GateKey> names = unasked(jobs);
        names.forEach(name -> answer(name).ifPresent(limits -> edits.put(name, new PolicyEdit.Suggest(limits))));
        if (!edits.isEmpty()) {
            store.changePolicies(new PolicyRequest(new TreeMap<>(edits), AUTHOR, "first use"));
        }
        remember(names);
    }

    /** For a caller's transaction, in which storing a policy would make all claims wait for its end. */
    void requireStored(CallerTransaction caller, Collection<NewJob> jobs) {
        for (GateKey name : unasked(jobs)) {
            if (answer(name).isPresent() && store.policyStore().latestOf(caller, name) == null) {
                throw new IllegalStateException(
                        "%s: expected its limits to be stored before a transaction enqueues for it, found them only with the provider; call policies().refresh(…) for it before the transaction begins"
                                .formatted(name));
            }
            remember(Set.of(name));
        }
    }

    void refresh(GateKey name) {
        PolicyEdit edit = answer(name).<PolicyEdit>map(PolicyEdit.Replace::new).orElseGet(PolicyEdit.Remove::new);
        store.changePolicies(PolicyRequest.of(name, edit, AUTHOR, "asked again"));
        remember(Set.of(name));
    }

    private Set<GateKey> unasked(Collection<NewJob> jobs) {
        if (provider == null) {
            return Set.of();
        }
        Set<GateKey> names = new TreeSet<>();
        for (NewJob job : jobs) {
            names.add(GateKey.queue(job.spec().lane().queue()));
            job.spec().lane().gates().forEach(gate -> names.add(GateKey.gate(gate)));
        }
        names.removeAll(asked);
        return names;
    }

    private Optional<GatePolicy> answer(GateKey name) {
        Function<GateKey, Optional<GatePolicy>> ask = provider;
        if (ask == null) {
            throw new IllegalStateException(
                    "policy of %s: expected a provider to ask, found none; set one with policies().provider(…)"
                            .formatted(name));
        }
        return ask.apply(name).filter(limits -> !limits.isOpen());
    }

    private void remember(Collection<GateKey> names) {
        if (asked.size() > ASKED_MAX) {
            asked.clear();
        }
        asked.addAll(List.copyOf(names));
    }
}
