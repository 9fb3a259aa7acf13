package dev.headgate.internal.job;

import dev.headgate.internal.figure.FigureFlush;
import dev.headgate.internal.figure.FigureRecorder;
import dev.headgate.internal.policy.PolicyStore;
import dev.headgate.internal.recovery.LossReversal;
import dev.headgate.internal.recovery.Reap;
import dev.headgate.spi.Backend;
import dev.headgate.spi.JobTable.LeaseRef;
import dev.headgate.spi.WorkerRow;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Takes jobs back from workers that are gone, each worker in one transaction. */
final class GoneWorkers {
    private static final int BATCH_MAX = 500;

    private final Backend backend;
    private final PolicyStore policies;
    private final FigureRecorder figures;

    GoneWorkers(Backend backend, PolicyStore policies, FigureRecorder figures) {
        this.backend = backend;
        this.policies = policies;
        this.figures = figures;
    }

    /** Takes back the jobs of all whose lease has ended; returns how many jobs. */
    int reap() {
        int jobs = 0;
        for (WorkerRow dead : backend.read(tx -> tx.workers().expired(tx.now(), BATCH_MAX))) {
            jobs += reap(dead, Reap.Parting.LOST);
        }
        return jobs;
    }

    /** Removes a worker that stops in good order. */
    void leave(String worker) {
        WorkerRow seen = find(worker);
        if (seen != null) {
            reap(seen, Reap.Parting.LEFT);
        }
    }

    /** Returns of how many jobs this changed something. */
    int cameBack(String worker, Collection<LeaseRef> leases) {
        WorkerRow seen = find(worker);
        int returned = seen == null ? 0 : reap(seen, Reap.Parting.SURVIVED);
        return returned + backend.write(tx -> LossReversal.run(tx, worker, leases));
    }

    private @Nullable WorkerRow find(String worker) {
        return backend.read(tx -> tx.workers().list().stream()
                .filter(row -> row.id().equals(worker))
                .findFirst()
                .orElse(null));
    }

    private int reap(WorkerRow seen, Reap.Parting how) {
        figures.gone(seen.id());
        Reap.Reaped reaped = decide(seen, how);
        if (!reaped.wakes().isEmpty()) {
            backend.publish(reaped.wakes());
        }
        return reaped.jobs();
    }

    /** A process that stops in good order leaves no figures behind. */
    private Reap.Reaped decide(WorkerRow seen, Reap.Parting how) {
        try (FigureFlush flush = figures.flush()) {
            Reap.Reaped reaped = policies.decide(tx -> {
                Reap.Reaped done = Reap.run(tx, seen, how);
                if (how == Reap.Parting.LEFT) {
                    flush.allInto(tx, tx.now());
                }
                return done;
            });
            flush.done();
            return reaped;
        }
    }
}
