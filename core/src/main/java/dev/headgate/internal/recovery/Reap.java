package dev.headgate.internal.recovery;

import dev.headgate.internal.figure.LostFigures;
import dev.headgate.internal.gate.LineHeads;
import dev.headgate.internal.gate.LockedGates;
import dev.headgate.internal.lease.LeaseRelease;
import dev.headgate.internal.workflow.Advance;
import dev.headgate.internal.workflow.StepOutcome;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.ReleasedRow;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import dev.headgate.spi.WorkerRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Puts the jobs of a worker that is gone back into their lanes and frees their places, in one transaction.
 *
 * <p>Gates are locked before the worker's row, as in a turnaround, so the two never deadlock. Before its row is locked, the
 * worker may have taken or ended jobs: only what the locked row says counts.
 */
public final class Reap {
    /** Why a worker is gone. */
    public enum Parting {
        /** Its lease ran out, and nothing was heard of it since: one of its jobs may have killed it. */
        LOST,
        /** It deregistered. */
        LEFT,
        /** Its lease ran out, but its process lives and says so. */
        SURVIVED
    }

    private Reap() {}

    /** What a reaping did. */
    public record Reaped(int jobs, Set<Wake> wakes) {}

    /** Reaps one worker; only one that counts as lost must have a lease that has ended. */
    public static Reaped run(StoreTransaction tx, WorkerRow seen, Parting how) {
        boolean isGoodbye = how != Parting.LOST;
        LockedGates ledgers = new LockedGates(tx);
        List<JobRow> held = new ArrayList<>(tx.jobs().findAll(seen.holding()));
        held.sort(Comparator.comparingLong(JobRow::id));
        Set<String> queues = new TreeSet<>();
        Set<GateKey> gates = new HashSet<>();
        for (JobRow job : held) {
            queues.add(job.spec().lane().queue());
            job.spec().lane().gates().forEach(gate -> gates.add(GateKey.gate(gate)));
        }
        long early = ledgers.lockQueues(queues);
        ledgers.lockGates(gates, early);
        long now = tx.now();
        WorkerRow worker = tx.workers().lock(seen.id(), isGoodbye ? null : Long.valueOf(now));
        if (worker == null || !seen.holding().containsAll(worker.holding())) {
            return new Reaped(0, Set.of());
        }
        Set<Wake> wakes = new HashSet<>();
        List<StepOutcome> steps = new ArrayList<>();
        List<ReleasedRow> released = new LostJobs(tx, worker, how, now).run(held, wakes, steps);
        ledgers.sharing().meet(released.stream().map(ReleasedRow::lane).toList());
        released.forEach(row -> ledgers.release(row, LeaseRelease.LOST, now));
        LineHeads.refresh(ledgers);
        ledgers.save(now);
        tx.workers().delete(worker.id());
        Set<Long> back = new HashSet<>();
        released.forEach(row -> back.add(row.job()));
        List<JobRow> counted =
                held.stream().filter(job -> back.contains(job.id())).toList();
        LostFigures.add(tx, worker, counted, !isGoodbye, now);
        Advance.run(tx, steps, now, wakes);
        released.forEach(row -> wakes.add(new Wake.Queue(row.lane().queue())));
        wakes.add(new Wake.Anything());
        return new Reaped(released.size(), wakes);
    }
}
