package dev.headgate.internal.enqueue;

import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.spi.Backend;
import dev.headgate.spi.JobTable.Inserted;
import dev.headgate.spi.NewJob;
import dev.headgate.spi.Pending;
import dev.headgate.spi.StalePoliciesException;
import dev.headgate.spi.Wake;
import dev.headgate.store.CallerTransaction;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Enqueues under the policies that are stored, though it starts from a copy: if that is out of date, once more without it. */
public final class ExactEnqueue {
    private final Backend backend;
    private final CachedPolicies copy;

    public ExactEnqueue(Backend backend, CachedPolicies copy) {
        this.backend = backend;
        this.copy = copy;
    }

    /** The stored policies, at most two seconds old: for what an enqueue leaves unsaid. */
    public PolicyBook policies() {
        return copy.get();
    }

    /** The same, read on the caller's connection if need be. */
    public PolicyBook policies(CallerTransaction caller) {
        return backend.join(caller, copy::in);
    }

    /** In a transaction of its own, which also writes what is to stand or fall with the jobs. */
    public List<Inserted> run(List<NewJob> jobs, BesideJobs beside) {
        try {
            return Enqueue.andTell(backend, copy.get(), jobs, beside);
        } catch (StalePoliciesException changed) {
            copy.read();
            return Enqueue.andTell(backend, null, jobs, beside);
        }
    }

    /** In the caller's, on its connection alone. */
    public List<Inserted> run(CallerTransaction caller, List<NewJob> jobs) {
        try {
            return join(caller, jobs, true);
        } catch (StalePoliciesException changed) {
            return join(caller, jobs, false);
        }
    }

    private List<Inserted> join(CallerTransaction caller, List<NewJob> jobs, boolean mayBeStale) {
        Pending<List<Inserted>> inserted = backend.join(caller, tx -> {
            PolicyBook from = mayBeStale ? copy.in(tx) : null;
            Pending<List<Inserted>> rows = Enqueue.run(tx, from, jobs, new HashSet<>(), false);
            tx.announce(Set.of(new Wake.Anything()));
            return rows;
        });
        return inserted.get();
    }
}
