package dev.headgate.internal.claim;

import dev.headgate.internal.admission.ClaimPlan;
import dev.headgate.internal.dependency.Dependents;
import dev.headgate.internal.lane.ExpiryDueException;
import dev.headgate.internal.lease.OpenTurn;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.internal.lease.WorkerLostException;
import dev.headgate.internal.time.Ticker;
import dev.headgate.internal.workflow.Advance;
import dev.headgate.job.Lane;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.JobTable.LeaseRef;
import dev.headgate.spi.LaneRow;
import dev.headgate.spi.Pending;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.WorkerTable.Shifted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One transaction that takes back what has finished, hands the freed capacity on and starts what may start. {@link #run()}
 * names its phases in order; {@link LockPhase} says in which order rows are locked.
 */
final class Turnaround {
    private final StoreTransaction tx;
    private final TurnContext turn;
    private final LockPhase locked;

    private Turnaround(TurnContext turn, boolean mayExpire) {
        this.tx = turn.tx;
        this.turn = turn;
        this.locked = new LockPhase(turn, mayExpire);
    }

    /** @param mayExpire whether the caller handles an {@link ExpiryDueException} by ending those jobs */
    static OpenTurn run(StoreTransaction tx, Ticker ticker, TurnMemory memory, TurnRequest request, boolean mayExpire) {
        return new Turnaround(new TurnContext(tx, ticker, memory, request), mayExpire).run();
    }

    private OpenTurn run() {
        long now = locked.run();
        long decidedNanos = turn.clock.nanos();
        EndedLeases ended = finish(now);
        release(ended, now);
        Set<String> unpaused = wake(now);
        PlanPhase planned = new PlanPhase(turn, now);
        planned.run(locked, ended, unpaused);
        List<Pending<List<JobRow>>> leased = lease(planned, now);
        write(ended, planned, now);
        Pending<List<JobRow>> started = leased.size() == 1 ? leased.getFirst() : inOrder(leased, planned.plan());
        return new AnswerPhase(turn, locked, ended, planned, now).run(started, decidedNanos);
    }

    /** Ends what has ended, puts back what goes back, each job guarded by worker and epoch. */
    private EndedLeases finish(long now) {
        turn.lanes.meetArrivals(now);
        turn.more.addIf(turn.lanes.hasBells(), MoreWork.Reason.RUNG_AGAIN);
        TurnRequest request = turn.request();
        EndedLeases asked = locked.plainEnds();
        EndedLeases ended = asked == null ? new EndedLeases(tx, request.worker(), request.ended(), now) : asked;
        ended.settle();
        return ended;
    }

    /** Gives the places of what came back to its gates and queues again. */
    private void release(EndedLeases ended, long now) {
        if (turn.gates.sharing().isAny()) {
            List<Lane> charged = new ArrayList<>(turn.lanes.shapes());
            ended.released().forEach(row -> charged.add(row.lane()));
            turn.queues.all().forEach(queue -> charged.add(new Lane(queue, List.of())));
            turn.gates.sharing().meet(charged);
        }
        ended.released().forEach(row -> turn.gates.release(row, ended.returnOf(row), now));
    }

    /**
     * Takes as many lanes out of each line as its gate can let pass, oldest first; the rest stays in line. Returns the queues of
     * which something may start.
     */
    private Set<String> wake(long now) {
        List<LaneRow> ready = new ArrayList<>(turn.lanes.all());
        ready.removeIf(lane -> turn.request().fit().hasPassedLane(lane.id()) || !turn.gates.hasAll(lane.gateKeys()));
        Map<GateKey, List<LaneRow>> woken = new WakeLines(turn.gates, ready, now).choose(turn.linesPerGate());
        if (!woken.isEmpty()) {
            turn.lanes.pull(woken);
            turn.gates.sharing().meet(turn.lanes.shapes());
            turn.lanes.all().forEach(lane -> turn.queues.add(lane.lane().queue(), turn.gates.sharing()::isFair));
        }
        Set<String> unpaused = turn.unpaused().keySet();
        turn.more.addIf(turn.lanes.findBare(unpaused), MoreWork.Reason.WOKE_EMPTY_LANE);
        return unpaused;
    }

    /** Leases what was granted, one statement for each margin. */
    private List<Pending<List<JobRow>>> lease(PlanPhase planned, long now) {
        String worker = turn.request().worker();
        List<Pending<List<JobRow>>> leased = new ArrayList<>();
        planned.again()
                .forEach((margin, refs) -> leased.add(Pending.of(tx.jobs().leaseAgain(worker, refs, margin, now))));
        planned.granted().forEach((margin, ids) -> leased.add(tx.jobs().lease(worker, ids, margin, now)));
        return leased;
    }

    /** Writes parked jobs, lanes, gates, attempts and doorbells, then workflow runs, the worker's row and jobs that wait for jobs. */
    private void write(EndedLeases ended, PlanPhase planned, long now) {
        ClaimPlan plan = planned.plan();
        turn.parked.save(plan, now);
        turn.more.addIf(turn.parked.hasAny(), MoreWork.Reason.PARKED);
        turn.lanes.save(plan, now);
        turn.gates.save(now);
        turn.more.addIf(ended.append(), MoreWork.Reason.GIVEN_BACK);
        boolean hasSteps = !ended.steps().isEmpty();
        turn.more.addIf(
                hasSteps && Advance.inTurn(tx, ended.steps(), now, turn.request(), turn.wakes),
                MoreWork.Reason.RUN_MOVED);
        boolean isAnyAwaiting = shiftWorker(ended, planned, now).isAnyAwaiting();
        boolean mayFree = isAnyAwaiting && !ended.gone().isEmpty();
        turn.more.addIf(mayFree && new Dependents(tx, turn.wakes, now).ended(ended.gone()), MoreWork.Reason.FREED);
        remember(plan);
    }

    /** Writes into the worker's row which jobs it has now. */
    private Shifted shiftWorker(EndedLeases ended, PlanPhase planned, long now) {
        // Refused ones too: a reaper that took the lease away left the worker's row to the worker. But a job that was
        // sent
        // twice, because the first answer was lost, may be leased to this worker again under a newer epoch.
        String worker = turn.request().worker();
        Set<Long> gone = new HashSet<>();
        turn.request().ended().forEach(sent -> gone.add(sent.lease().id()));
        for (List<LeaseRef> refs : planned.again().values()) {
            refs.forEach(ref -> gone.remove(ref.job()));
        }
        List<Long> starting = new ArrayList<>();
        planned.granted().values().forEach(starting::addAll);
        Set<Long> refused = ended.refused();
        if (!refused.isEmpty()) {
            tx.jobs().findAll(refused).stream()
                    .filter(job -> worker.equals(job.lease().worker()))
                    .forEach(job -> gone.remove(job.id()));
        }
        Shifted shifted = tx.workers().shift(worker, gone, starting, now);
        if (shifted == null) {
            throw new WorkerLostException(worker);
        }
        return shifted;
    }

    private void remember(ClaimPlan plan) {
        for (String queue : turn.hasSlots() ? turn.queues.all() : List.<String>of()) {
            boolean hadRoom = locked.room().containsKey(queue) || !turn.isUnpaused(queue);
            turn.memory.saw(queue, !hadRoom || plan.shutQueues().containsKey(queue));
        }
    }

    /** Jobs that start again first, then the others in the order of the plan, whatever their margins. */
    private static Pending<List<JobRow>> inOrder(List<Pending<List<JobRow>>> leased, ClaimPlan plan) {
        Map<Long, Integer> places = new HashMap<>();
        plan.grants().forEach(grant -> places.put(grant.job(), places.size()));
        List<JobRow> started = new ArrayList<>();
        leased.forEach(rows -> started.addAll(rows.get()));
        started.sort(Comparator.comparingInt(row -> places.getOrDefault(row.id(), -1)));
        return Pending.of(started);
    }
}
