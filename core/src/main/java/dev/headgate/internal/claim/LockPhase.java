package dev.headgate.internal.claim;

import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.claim.LaneHeads.PlainHeads;
import dev.headgate.internal.lane.Arrivals;
import dev.headgate.internal.lane.ExpiryDueException;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.GateTable.Opening;
import dev.headgate.spi.Pending;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The first phase: finds and locks all that the turn may touch, then reads the clock.
 *
 * <p>Design note: the order of locks. Gates of queues, in key order; lanes (ready ones that are locked elsewhere are skipped,
 * those that arrivals are filed into are waited for); gates (some are waited for, in key order, then others are taken if they
 * are free); job rows; the worker's row. Only rows of jobs without gates are locked earlier, before the gates: those that end
 * belong to this worker, those that may start are skipped if they are locked, and no transaction that holds one needs a gate
 * for it. The lock of a gate covers its line: a WAITING lane changes under that lock only, or while arrivals are filed into it,
 * and then a turn skips it. The clock is read after the last gate is locked, so starts at one gate have the same order in time
 * as in the store.
 */
final class LockPhase {
    private static final int DUE_GATES_MAX = 256;
    private static final int OPENINGS_MORE = 8;

    /** How long a turn waits, with its locks held, for a gate that is about to open. */
    private static final long PATIENCE_MICROS = 2_000;

    private final TurnContext turn;
    private final boolean mayExpire;
    private Map<String, Integer> room = Map.of();
    private @Nullable EndedLeases plainEnds;
    private Map<String, Integer> asked = Map.of();
    private Set<String> open = Set.of();
    private Arrivals.Filed filed = Arrivals.Filed.NOTHING;
    private @Nullable PlainHeads plainHeads;
    private Pending<List<Opening>> openings = Pending.of(List.of());
    private int openingsMax;

    /** @param mayExpire whether the caller handles an {@link ExpiryDueException} by ending those jobs */
    LockPhase(TurnContext turn, boolean mayExpire) {
        this.turn = turn;
        this.mayExpire = mayExpire;
    }

    /** Returns the store's time after the last lock: the time of this turn. */
    long run() {
        if (turn.request().ended().isEmpty()) {
            turn.tx.workers().foresee(turn.request().worker());
        }
        turn.queues.find();
        turn.gates.sharing().reach(turn.request().reach());
        turn.gates.askQueues(queuesConcerned());
        Arrivals filing = isTakenForOpen() ? ask(turn.unpaused(), GateLedger.AT_ONCE) : null;
        long early = turn.gates.holdQueues();
        long soon = early + Micros.of(turn.request().lead());
        room = QueueRoom.of(turn, soon);
        plainEnds = EndedLeases.askPlain(turn.tx, turn.request(), early);
        if (turn.hasSlots()) {
            find(filing == null ? ask(room, soon) : filing, early);
        }
        boolean isLocked = lockGates(early, soon);
        turn.leaveBusy();
        boolean isOneTrip = filing != null && !isLocked;
        long read = isOneTrip ? early : turn.tx.now();
        return turn.gates.whenOpen(
                isFresh() ? read : readAgain(), Math.min(PATIENCE_MICROS, soon - early), turn.clock::asking);
    }

    /** How many jobs each queue could start by its own limits; a queue that could start none is missing. */
    Map<String, Integer> room() {
        return room;
    }

    /** Jobs without gates that end, already on their way to history; absent if this turn ends others as well. */
    @Nullable
    EndedLeases plainEnds() {
        return plainEnds;
    }

    Arrivals.Filed filed() {
        return filed;
    }

    /** The jobs without gates that may start; absent if they must be read later. */
    @Nullable
    PlainHeads plainHeads() {
        return filed.isWhole() ? plainHeads : null;
    }

    /** When the first gate opens that this turn did not lock; absent if none opens by time. */
    @Nullable
    Long nextOpening() {
        List<Opening> seen = openings.get();
        for (Opening opening : seen) {
            if (!turn.gates.byKey().containsKey(opening.gate())) {
                return opening.at();
            }
        }
        return seen.size() < OPENINGS_MORE ? null : turn.tx.gates().nextWake();
    }

    /**
     * Whether to ask for what may start along with the locks of the queues, before they say how much room they have: an
     * idle worker's first start is that much earlier. If a queue turns out to be shut, what was read of it stays there.
     */
    private boolean isTakenForOpen() {
        return turn.hasSlots() && turn.request().ended().isEmpty() && turn.memory.wereOpen(turn.queues.all());
    }

    private Set<String> queuesConcerned() {
        Set<String> queues = new TreeSet<>(turn.queues.all());
        turn.request()
                .ended()
                .forEach(ended -> queues.add(ended.lease().spec().lane().queue()));
        return queues;
    }

    /** Asks for all that may be there to start before any answer is read: then the answers come in one trip. */
    private Arrivals ask(Map<String, Integer> queues, long soon) {
        asked = queues;
        open = queues.keySet();
        Arrivals filing =
                new Arrivals(turn.tx, turn.gates.sharing(), turn.request().queues(), open, this::due);
        filing.ask(turn.lanesMax());
        turn.lanes.askReady(open, turn.lanesMax());
        if (turn.request().ended().stream().allMatch(EndedLease::isFinal)) { // a job that goes back would be missed
            plainHeads = LaneHeads.askPlainJobs(turn, queues, turn.request().slots());
        }
        openings = turn.tx.gates().openings(soon, DUE_GATES_MAX, OPENINGS_MORE);
        openingsMax = soon == GateLedger.AT_ONCE ? OPENINGS_MORE : DUE_GATES_MAX;
        return filing;
    }

    /** Of which queues due jobs are moved. Those of queues that this turn cannot take in are left to the next one. */
    private Collection<String> due(long now) {
        Collection<String> due = turn.queues.withDue(now);
        if (turn.queues.hasPatterns()) {
            for (String queue : due) {
                boolean isIn = turn.queues.add(queue, turn.gates.sharing()::isFair);
                if (isIn && turn.isUnpaused(queue) && !turn.book.isCounted(GateKey.queue(queue))) {
                    room.putIfAbsent(queue, turn.request().slots());
                    asked.putIfAbsent(queue, turn.request().slots());
                }
                turn.more.addIf(!isIn && turn.isUnpaused(queue), MoreWork.Reason.QUEUES_LEFT);
            }
        }
        return due;
    }

    private void find(Arrivals filing, long early) {
        filed = filing.file(early, mayExpire);
        turn.more.addIf(filed.isMore(), MoreWork.Reason.ARRIVALS_LEFT);
        turn.lanes.arrive(filed.arrivals(), filed.isMore());
        turn.lanes.lockReady(open, turn.lanesMax());
    }

    /**
     * Locks the gates of what ends, of what is ready and of what may wake. Returns whether there is any.
     *
     * <p>It waits, in key order, for those of the job that ended first, of the lane that comes first and of the lines that are
     * due. Where many workers share many gates, almost any two turns have a gate in common, and a turn that waited for all of
     * its gates would hold most of them while it waits for the last. So it takes the others only if they are free. What needs
     * one that is not free stays as it is, and the next turn begins with the first of that.
     */
    private boolean lockGates(long early, long soon) {
        Set<GateKey> due = dueGates(soon);
        Set<GateKey> moving = new HashSet<>(due);
        turn.request().ended().forEach(ended -> moving.addAll(ended.gateKeys()));
        Set<GateKey> claimed = new HashSet<>(turn.lanes.gateKeys());
        if (!moving.isEmpty() && turn.hasSlots()) {
            turn.gates.sharing().lines(moving, turn.linesPerGate()).forEach(lane -> claimed.addAll(lane.gateKeys()));
        }
        if (!moving.isEmpty() || !claimed.isEmpty()) {
            turn.clock.asking();
        }
        if (turn.gates.sharing().isAny() || turn.request().serving().isByQueue()) {
            moving.addAll(claimed); // where shares or queues take turns, none may be skipped
            return turn.gates.lockGates(moving, early);
        }
        turn.request().ended().stream().findFirst().ifPresent(first -> due.addAll(first.gateKeys()));
        due.addAll(turn.lanes.gatesOfFirst()); // else a lane with a gate that is seldom free could wait for ever
        claimed.addAll(moving);
        return turn.gates.lockGates(due, claimed, early);
    }

    private Set<GateKey> dueGates(long soon) {
        Set<GateKey> due = new HashSet<>();
        if (turn.hasSlots()) {
            List<Opening> seen = openings.get();
            for (Opening gate : seen) {
                if (gate.at() <= soon) {
                    due.add(gate.gate());
                }
            }
            turn.more.addIf(
                    seen.size() >= openingsMax && seen.get(openingsMax - 1).at() <= soon, MoreWork.Reason.LINES_LEFT);
        }
        return due;
    }

    /**
     * Whether the reading of the store's clock that came along with the locks is as good as a new one. It was taken some time
     * after the locks were asked for, and all of that time counts as lag. If the locks took long and a start here has a margin
     * to keep, one more trip costs less.
     */
    private boolean isFresh() {
        return turn.clock.isFresh() || turn.gates.byKey().values().stream().allMatch(ledger -> ledger.margin() == 0);
    }

    private long readAgain() {
        turn.clock.asking();
        return turn.tx.now();
    }
}
