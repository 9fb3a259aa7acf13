package dev.headgate.internal.operate;

import dev.headgate.internal.dependency.BacklogCaps;
import dev.headgate.internal.dependency.Dependents;
import dev.headgate.internal.gate.LineHeads;
import dev.headgate.internal.gate.LockedGates;
import dev.headgate.internal.lane.Arrivals;
import dev.headgate.internal.lease.LeaseRelease;
import dev.headgate.internal.workflow.Advance;
import dev.headgate.internal.workflow.StepOutcome;
import dev.headgate.job.JobState;
import dev.headgate.job.Lane;
import dev.headgate.job.OperationResult;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.HistoryTable.Revived;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.ReleasedRow;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What an operator does to single jobs. Every way into a lane or out of it rings the doorbell, so every gate applies.
 *
 * <p>Their places: a job that is made due or brought back without ever having been leased takes its place from that
 * moment, unless it keeps that of its enqueue. One that was leased before, that is parked, or that waits in its lane
 * already has the place it had.
 */
public final class Operate {
    private final StoreTransaction tx;
    private final Set<Wake> wakes;

    public Operate(StoreTransaction tx, Set<Wake> wakes) {
        this.tx = tx;
        this.wakes = wakes;
    }

    public @Nullable OperationResult cancel(long id) {
        JobRow job = tx.jobs().lock(id);
        if (job == null) {
            return missing(id);
        }
        if (job.state() == JobState.RUNNING) {
            tx.jobs().requestCancel(id);
            wakes.add(new Wake.Cancel());
            return OperationResult.REQUESTED;
        }
        String before = job.lease().attempt() == 0
                ? "it started"
                : "attempt " + (job.lease().attempt() + 1);
        tx.jobs().endWaiting(id, JobState.CANCELLED, "cancelled before " + before, tx.now());
        leave(job);
        dependents().ended(List.of(id));
        Advance.run(tx, StepOutcome.removed(job, "its job was cancelled before it started"), tx.now(), wakes);
        return OperationResult.DONE;
    }

    private Dependents dependents() {
        return new Dependents(tx, wakes, tx.now());
    }

    public @Nullable OperationResult reschedule(long id, long at) {
        JobRow job = tx.jobs().lock(id);
        if (job == null) {
            return missing(id);
        }
        long now = tx.now();
        if (!job.state().isWaiting()) {
            return OperationResult.WRONG_STATE;
        }
        boolean isAwaiting = job.state() == JobState.AWAITING;
        JobState state = isAwaiting ? JobState.AWAITING : at > now ? JobState.SCHEDULED : JobState.QUEUED;
        HeadOfLane head = tx.jobs().requeue(id, state, Math.max(at, now));
        if (state == JobState.SCHEDULED) {
            leave(job);
        }
        if (head != null && state == JobState.QUEUED) {
            arrive(head);
        } else {
            wakes.add(new Wake.Queue(job.spec().lane().queue()));
        }
        return OperationResult.DONE;
    }

    public @Nullable OperationResult changePriority(long id, int priority) {
        JobRow job = tx.jobs().lock(id);
        if (job == null) {
            return missing(id);
        }
        HeadOfLane head = job.state().isWaiting() ? tx.jobs().changePriority(id, priority) : null;
        if (head == null) {
            return OperationResult.WRONG_STATE;
        }
        if (job.state() == JobState.QUEUED && head.rank() < job.place().rank()) {
            arrive(head);
        } else {
            leave(job); // another may be the first of its lane now
        }
        return OperationResult.DONE;
    }

    public @Nullable OperationResult retry(long id) {
        JobRow job = tx.jobs().lock(id);
        if (job != null) {
            if (job.state() != JobState.SCHEDULED && job.state() != JobState.PARKED) {
                return OperationResult.WRONG_STATE;
            }
            HeadOfLane head = tx.jobs().requeue(id, JobState.QUEUED, tx.now());
            if (head != null) {
                arrive(head);
            }
            return OperationResult.DONE;
        }
        return revive(List.of(id)) > 0 ? OperationResult.DONE : missing(id);
    }

    /**
     * Brings ended jobs back to life, unless they have succeeded; answers how many. One that ended because of another of them
     * is not counted if it comes back with that one.
     */
    public int revive(Collection<Long> ids) {
        int count = 0;
        Set<Long> left = new TreeSet<>(ids);
        while (!left.isEmpty()) {
            Map<Long, Boolean> behind = dependents().comingBack(left);
            Set<Long> first = new TreeSet<>(left);
            first.removeAll(behind.keySet());
            count += reviveNow(first);
            // Some stay: something else keeps them from running as well. Those are brought back now, whatever that was.
            left.removeIf(id -> !behind.getOrDefault(id, false));
        }
        return count;
    }

    private int reviveNow(Set<Long> ids) {
        List<Revived> revived = ids.isEmpty() ? List.of() : tx.history().revive(ids, tx.now());
        if (revived.isEmpty()) {
            return 0;
        }
        BacklogCaps.recount(tx, tx.policies(), revived);
        Set<Long> back = new TreeSet<>();
        revived.forEach(job -> back.add(job.job()));
        Set<Long> waiting = dependents().revived(back);
        arrive(revived.stream()
                .filter(job -> !waiting.contains(job.job()))
                .map(Revived::head)
                .toList());
        return revived.size();
    }

    public @Nullable OperationResult delete(long id) {
        JobRow seen = tx.jobs().find(id);
        if (seen == null) {
            return deleteEnded(id);
        }
        Lane lane = seen.spec().lane();
        LockedGates ledgers = new LockedGates(tx);
        long early = ledgers.lockQueues(List.of(lane.queue()));
        ledgers.lockGates(GateKey.gatesOf(lane), early);
        JobRow gone = tx.jobs().delete(id);
        if (gone == null) {
            return deleteEnded(id);
        }
        if (gone.state() == JobState.RUNNING) {
            long now = tx.now();
            ledgers.sharing().meet(List.of(lane));
            ledgers.release(ReleasedRow.of(gone), LeaseRelease.LOST, now);
            LineHeads.refresh(ledgers);
            ledgers.save(now);
            wakes.add(new Wake.Cancel());
            wakes.add(new Wake.Anything());
        }
        leave(gone);
        dependents().ended(List.of(id));
        Advance.run(tx, StepOutcome.removed(gone, "its job was deleted"), tx.now(), wakes);
        return OperationResult.DONE;
    }

    private @Nullable OperationResult deleteEnded(long id) {
        return tx.history().delete(List.of(id)) > 0 ? OperationResult.DONE : null;
    }

    private @Nullable OperationResult missing(long id) {
        return tx.history().find(id) == null ? null : OperationResult.WRONG_STATE;
    }

    /** Its lane may be waiting with this job as its head; what is behind it may fit where it did not. */
    private void leave(JobRow job) {
        if (job.state() == JobState.QUEUED && !job.spec().lane().isPlain()) {
            arrive(HeadOfLane.left(job.spec().lane(), job.place().rank()));
        }
    }

    private void arrive(HeadOfLane head) {
        arrive(List.of(head));
    }

    private void arrive(List<HeadOfLane> heads) {
        List<HeadOfLane> bells =
                heads.stream().filter(head -> !head.lane().isPlain()).toList();
        if (!bells.isEmpty()) {
            tx.lanes().ring(Arrivals.oldestPerLane(bells));
        }
        heads.forEach(head -> wakes.add(new Wake.Queue(head.lane().queue())));
    }

    public static long at(@Nullable Instant instant, long now) {
        return instant == null ? now : dev.headgate.internal.time.Micros.of(instant);
    }
}
