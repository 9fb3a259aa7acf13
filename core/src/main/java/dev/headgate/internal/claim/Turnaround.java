package dev.headgate.internal.claim;

import dev.headgate.internal.admission.ClaimPlan;
import dev.headgate.internal.admission.ClaimPlan.Grant;
import dev.headgate.internal.admission.ClaimPlan.Head;
import dev.headgate.internal.admission.ClaimPlan.Offer;
import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.claim.LaneHeads.PlainHeads;
import dev.headgate.internal.dependency.Dependents;
import dev.headgate.internal.gate.LockedGates;
import dev.headgate.internal.gate.NextWake;
import dev.headgate.internal.gate.ParkedByClaim;
import dev.headgate.internal.lane.Arrivals;
import dev.headgate.internal.lane.ExpiryDueException;
import dev.headgate.internal.lease.LeaseEnd;
import dev.headgate.internal.lease.OpenTurn;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.internal.lease.WorkerLostException;
import dev.headgate.internal.time.Micros;
import dev.headgate.internal.time.Ticker;
import dev.headgate.internal.workflow.Advance;
import dev.headgate.job.Lane;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.GateTable.Opening;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.JobTable.LeaseRef;
import dev.headgate.spi.LaneRow;
import dev.headgate.spi.Pending;
import dev.headgate.spi.ReleasedRow;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import dev.headgate.spi.WorkerTable.Shifted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One transaction that brings back what has finished, hands the freed capacity on and claims the next jobs.
 *
 * <p>Design note: the order of locks. Queue gates in key order, then lanes (arrivals are waited for, ready lanes held by
 * others are skipped), then gates (in key order those that are waited for, then others if they are free), then job rows, then the worker's own row. Jobs without gates go
 * before them: those that end are this worker's, those that may start are skipped where somebody holds them, and whoever
 * holds one wants no gate for it. Whoever holds a gate owns its
 * line: a WAITING lane is changed only under its gate's lock, or by filing, and is skipped where filing holds it. The
 * clock is read after the last gate is locked, so starts at one gate are ordered in time as they are in the store.
 */
final class Turnaround {
    private static final int DUE_GATES_MAX = 256;
    private static final int OPENINGS_MORE = 8;
    private static final int LANES_MAX = 512;

    /** How long a turn waits, its locks in hand, for a gate that is about to open. */
    private static final long PATIENCE_MICROS = 2_000;

    /** For how long after it was asked for a reading of the store's clock serves for starts that have a margin. */
    private static final long FRESH_NANOS = 1_000_000;

    private final StoreTransaction tx;
    private final Ticker ticker;
    private TurnRequest request;
    private final LockedGates ledgers;
    private final LockedLanes lanes;
    private final Set<Wake> wakes = new HashSet<>();
    private final Set<Long> busy = new HashSet<>();
    private final ParkedByClaim aside;
    private final PolicyBook book;
    private Arrivals.Filed filed = Arrivals.Filed.NOTHING;
    private Pending<List<Opening>> openings = Pending.of(List.of());
    private int openingsMax;
    private Set<String> open = Set.of();
    private @Nullable PlainHeads plainHeads;
    private boolean isMore;

    private long askedNanos;

    private final boolean mayExpire;

    private final TurnMemory memory;

    private Turnaround(StoreTransaction tx, Ticker ticker, TurnMemory memory, TurnRequest request, boolean mayExpire) {
        this.mayExpire = mayExpire;
        this.memory = memory;
        this.tx = tx;
        this.ticker = ticker;
        this.request = request;
        this.askedNanos = ticker.nanos(); // the time may come along with the policies
        this.book = tx.recentPolicies();
        this.ledgers = new LockedGates(tx);
        this.lanes = new LockedLanes(tx, ledgers, wakes);
        this.aside = new ParkedByClaim(tx, book);
    }

    /** @param mayExpire whether the caller answers an {@link ExpiryDueException} by ending those jobs */
    static OpenTurn run(StoreTransaction tx, Ticker ticker, TurnMemory memory, TurnRequest request, boolean mayExpire) {
        return new Turnaround(tx, ticker, memory, request, mayExpire).run();
    }

    private OpenTurn run() {
        if (request.ended().isEmpty()) {
            tx.workers().foresee(request.worker());
        }
        ledgers.sharing().reach(request.reach());
        ledgers.askQueues(queuesConcerned());
        Arrivals filing = isTakenForOpen() ? ask(awake(), GateLedger.AT_ONCE) : null;
        boolean isOneTrip = filing != null;
        long early = ledgers.holdQueues();
        long soon = early + Micros.of(request.lead());
        Map<String, Integer> room = QueueRoom.of(request, ledgers, book, soon);
        EndedLeases plainEnds = EndedLeases.askPlain(tx, request, early);
        if (request.slots() > 0) {
            find(filing == null ? ask(room, soon) : filing, early);
        }
        isOneTrip &= !lockGates(early, soon);
        leaveBusy();
        long read = isOneTrip ? early : tx.now();
        long now = ledgers.whenOpen(
                isFresh() ? read : readAgain(), Math.min(PATIENCE_MICROS, soon - early), this::asksForTime);
        long decidedNanos = ticker.nanos();
        lanes.meetArrivals(now);
        isMore |= lanes.hasBells();

        EndedLeases returns =
                plainEnds == null ? new EndedLeases(tx, request.worker(), request.ended(), now) : plainEnds;
        returns.settle();
        meetShares(returns);
        returns.released().forEach(row -> ledgers.release(row, returns.returnOf(row), now));
        wakeLines(now);
        Set<String> awake = awake().keySet();
        isMore |= lanes.findBare(awake);

        // Where queues have turns, all are judged at once: a queue of which more waits unseen keeps its turn.
        int perQueue = request.serving().isByQueue() ? Integer.MAX_VALUE : lanesMax();
        List<LaneRow> claimable = request.slots() > 0 ? lanes.claimable(awake, perQueue) : List.of();
        ClaimPlan plan = new ClaimPlan(
                now,
                request.slots(),
                ledgers.byKey(),
                request.serving(),
                request.fit().trial());
        lanes.unread().forEach(plan::hasMore);
        Map<Long, List<LeaseRef>> again = restart(plan, returns);
        LaneHeads offering = new LaneHeads(tx, ledgers.sharing(), aside, plan, request);
        offering.lanes(claimable, lanes.pulled(), lanes::isFresh, request.slots());
        PlainHeads seen = filed.isWhole() ? plainHeads : null;
        int plainLeft = offering.plainJobs(seen == null ? askPlainJobs(room, plan.slotsLeft()) : seen);
        plan.solve();
        if (plan.slotsLeft() > 0) {
            // A denial needs no slot, and the gates of these lanes are locked anyway.
            offering.lanes(lanes.takePassedOver(), Set.of(), lanes::isFresh, plan.slotsLeft());
            plan.solve();
        }
        isMore |= offering.isMore();

        Map<Long, List<Long>> granted = new TreeMap<>();
        plan.grants()
                .forEach(grant -> granted.computeIfAbsent(grant.margin(), margin -> new ArrayList<>())
                        .add(grant.job()));
        List<Pending<List<JobRow>>> leased = new ArrayList<>();
        again.forEach(
                (margin, refs) -> leased.add(Pending.of(tx.jobs().leaseAgain(request.worker(), refs, margin, now))));
        granted.forEach((margin, ids) -> leased.add(tx.jobs().lease(request.worker(), ids, margin, now)));
        aside.save(plan, now);
        isMore |= aside.hasAny();
        lanes.save(plan, now);
        ledgers.save(now);
        isMore |= returns.append();
        isMore |= !returns.steps().isEmpty() && Advance.inTurn(tx, returns.steps(), now, request, wakes);
        if (shiftWorker(returns.refused(), again, granted, now).isAnyAwaiting()
                && !returns.gone().isEmpty()) {
            isMore |= new Dependents(tx, wakes, now).ended(returns.gone());
        }
        remember(room, plan);
        Pending<List<JobRow>> started = leased.size() == 1 ? leased.getFirst() : Pending.of(inOrder(leased, plan));
        return answer(plan, returns, started, plainLeft, now, decidedNanos);
    }

    /** The store's clock is asked with what is sent next, or has been asked with it if it comes along with locks. */
    private void asksForTime() {
        askedNanos = ticker.nanos();
    }

    /**
     * Whether the reading of the store's clock that came along with the locks is as good as a new one. It was taken some time
     * after the locks were asked for, and all of that time counts as lag. If they were long in coming and a start here has
     * a margin to keep, one more trip costs less.
     */
    private boolean isFresh() {
        return ticker.nanos() - askedNanos <= FRESH_NANOS
                || ledgers.byKey().values().stream().allMatch(ledger -> ledger.margin() == 0);
    }

    private long readAgain() {
        asksForTime();
        return tx.now();
    }

    /**
     * Whether to ask for what may start along with the locks of the queues, before they say how much room they have: an
     * idle worker's first start is that much earlier. A queue that turns out to be shut leaves what was read where it was.
     */
    private boolean isTakenForOpen() {
        return request.slots() > 0 && request.ended().isEmpty() && memory.wereOpen(request.queues());
    }

    /** The queues that are not paused, each with room for all slots. */
    private Map<String, Integer> awake() {
        Map<String, Integer> awake = new HashMap<>();
        for (String queue : request.queues()) {
            if (isAwake(queue)) {
                awake.put(queue, request.slots());
            }
        }
        return awake;
    }

    private void remember(Map<String, Integer> room, ClaimPlan plan) {
        for (String queue : request.slots() > 0 ? request.queues() : List.<String>of()) {
            boolean hadRoom = room.containsKey(queue) || !isAwake(queue);
            memory.saw(queue, !hadRoom || plan.shutQueues().containsKey(queue));
        }
    }

    /** Asks for all that may be there to start before it looks at any of it: the answers come in one trip. */
    private Arrivals ask(Map<String, Integer> room, long soon) {
        open = room.keySet();
        Arrivals filing = new Arrivals(tx, ledgers.sharing(), request.queues(), open);
        filing.ask(lanesMax());
        lanes.askReady(open, lanesMax());
        if (request.ended().stream().allMatch(LeaseEnd::isFinal)) {
            plainHeads = askPlainJobs(room, request.slots()); // what goes back would not be among them
        }
        openings = tx.gates().openings(soon, DUE_GATES_MAX, OPENINGS_MORE);
        openingsMax = soon == GateLedger.AT_ONCE ? OPENINGS_MORE : DUE_GATES_MAX;
        return filing;
    }

    private void find(Arrivals filing, long early) {
        filed = filing.file(early, mayExpire);
        isMore = filed.isMore();
        lanes.arrive(filed.arrivals(), filed.isMore());
        lanes.lockReady(open, lanesMax());
    }

    private PlainHeads askPlainJobs(Map<String, Integer> room, int slots) {
        return LaneHeads.askPlainJobs(tx, memory, room, slots, request.fit().sight());
    }

    private boolean isAwake(String queue) {
        return !book.isPaused(GateKey.queue(queue));
    }

    private Set<String> queuesConcerned() {
        Set<String> queues = new TreeSet<>(request.queues());
        request.ended().forEach(ended -> queues.add(ended.lease().spec().lane().queue()));
        return queues;
    }

    private int lanesMax() {
        int forSlots =
                Math.min(LANES_MAX, Math.max(1, request.slots()) + request.fit().sight());
        return Math.max(forSlots, Math.min(TurnRequest.REACH_MAX, request.reach()));
    }

    /**
     * Locks the gates this turn can touch, once: of what ends, of what is ready, of what may wake. Answers whether there is any.
     * In key order it waits for those of what has ended first, of the lane that comes first, and of lines that are due.
     * Where many workers share many gates, almost any two turns have one in common, and a turn that waits for all of its
     * gates holds most of them while it waits for the last. So it takes the others only if they are free, and leaves what
     * needs the rest as it is: the next turn begins with the first of that.
     */
    private boolean lockGates(long early, long soon) {
        Set<GateKey> moving = new HashSet<>();
        request.ended().forEach(ended -> moving.addAll(ended.gateKeys()));
        Set<GateKey> due = new HashSet<>();
        if (request.slots() > 0) {
            for (Opening gate : openings.get()) {
                if (gate.at() <= soon) {
                    due.add(gate.gate());
                }
            }
            isMore |= openings.get().size() >= openingsMax
                    && openings.get().get(openingsMax - 1).at() <= soon;
        }
        moving.addAll(due);
        Set<GateKey> claimed = new HashSet<>(lanes.gateKeys());
        if (!moving.isEmpty() && request.slots() > 0) {
            ledgers.sharing().lines(moving, linesPerGate()).forEach(lane -> claimed.addAll(lane.gateKeys()));
        }
        if (!moving.isEmpty() || !claimed.isEmpty()) {
            asksForTime();
        }
        if (ledgers.sharing().isAny() || request.serving().isByQueue()) {
            moving.addAll(claimed); // nothing may be passed by where shares or queues have turns
            return ledgers.lockGates(moving, early);
        }
        request.ended().stream().findFirst().ifPresent(first -> due.addAll(first.gateKeys()));
        due.addAll(lanes.gatesOfFirst()); // otherwise one with a gate that is seldom free could be left for ever
        claimed.addAll(moving);
        return ledgers.lockGates(due, claimed, early);
    }

    /** What ends at a gate that another transaction has locked is left to the next turn, and so are as many slots. */
    private void leaveBusy() {
        for (LeaseEnd ended : request.ended()) {
            if (!ledgers.hasAll(ended.gateKeys())) {
                busy.add(ended.lease().id());
            }
        }
        if (!busy.isEmpty()) {
            List<LeaseEnd> taken = new ArrayList<>(request.ended());
            taken.removeIf(ended -> busy.contains(ended.lease().id()));
            request = request.with(taken, Math.max(0, request.slots() - busy.size()));
        }
    }

    private int linesPerGate() {
        return Math.min(LANES_MAX, Math.max(request.slots(), request.ended().size()) + 1);
    }

    /** Pulls as many lanes out of each line as its gate can let pass, oldest first; the rest stays asleep. */
    private void wakeLines(long now) {
        List<LaneRow> asked = new ArrayList<>(lanes.all());
        asked.removeIf(lane -> request.fit().hasPassedLane(lane.id()) || !ledgers.hasAll(lane.gateKeys()));
        Map<GateKey, List<LaneRow>> woken = new WakeLines(ledgers, asked, now).choose(linesPerGate());
        if (!woken.isEmpty()) {
            lanes.pull(woken);
            ledgers.sharing().meet(lanes.shapes());
        }
    }

    /** The shares of all that may be charged: what came back, what is ready, what has no gates. */
    private void meetShares(EndedLeases returns) {
        if (!ledgers.sharing().isAny()) {
            return;
        }
        List<Lane> met = new ArrayList<>(lanes.shapes());
        returns.released().forEach(row -> met.add(row.lane()));
        request.queues().forEach(queue -> met.add(new Lane(queue, List.of())));
        ledgers.sharing().meet(met);
    }

    /** What starts again at once, by margin. */
    private Map<Long, List<LeaseRef>> restart(ClaimPlan plan, EndedLeases returns) {
        Map<Long, List<LeaseRef>> again = new TreeMap<>();
        for (ReleasedRow row : returns.restarting()) {
            List<GateKey> gates = GateKey.gatesOf(row.lane());
            Head head = new Head(row.job(), row.rank(), row.cost(), returns.typeOf(row));
            boolean isPaused = !isAwake(row.lane().queue()) || book.isTypePaused(head.type());
            Offer offer = new Offer(row.lane().id(), row.lane().queue(), gates, List.of(head), false, 0);
            Grant grant = isPaused ? null : plan.restart(offer);
            if (grant != null) {
                again.computeIfAbsent(grant.margin(), margin -> new ArrayList<>())
                        .add(returns.refOf(row));
            } else {
                returns.denyRestart(row);
            }
        }
        return again;
    }

    /** Those that start again first, then the others in the order of the plan, whatever their margins. */
    private static List<JobRow> inOrder(List<Pending<List<JobRow>>> leased, ClaimPlan plan) {
        Map<Long, Integer> places = new HashMap<>();
        plan.grants().forEach(grant -> places.put(grant.job(), places.size()));
        List<JobRow> started = new ArrayList<>();
        leased.forEach(rows -> started.addAll(rows.get()));
        started.sort(Comparator.comparingInt(row -> places.getOrDefault(row.id(), -1)));
        return started;
    }

    private Shifted shiftWorker(
            Set<Long> refused, Map<Long, List<LeaseRef>> again, Map<Long, List<Long>> granted, long now) {
        // Refused ones too: whoever took the lease away left the worker's row to the worker. But one that was sent
        // twice, because the first answer was lost, may be leased to this worker again under a newer epoch.
        Set<Long> gone = new HashSet<>();
        request.ended().forEach(ended -> gone.add(ended.lease().id()));
        again.values().forEach(refs -> refs.forEach(ref -> gone.remove(ref.job())));
        List<Long> starting = new ArrayList<>();
        granted.values().forEach(starting::addAll);
        if (!refused.isEmpty()) {
            tx.jobs().findAll(refused).stream()
                    .filter(job -> request.worker().equals(job.worker()))
                    .forEach(job -> gone.remove(job.id()));
        }
        Shifted shifted = tx.workers().shift(request.worker(), gone, starting, now);
        if (shifted == null) {
            throw new WorkerLostException(request.worker());
        }
        return shifted;
    }

    private OpenTurn answer(
            ClaimPlan plan,
            EndedLeases returns,
            Pending<List<JobRow>> started,
            int plainLeft,
            long now,
            long decidedNanos) {
        boolean isFull = plan.slotsLeft() == 0;
        RemainingWork left = new RemainingWork(plan, lanes, request);
        boolean isWorkLeft = isMore || left.isClaimable(plainLeft > 0, lanesMax());
        wakes.addAll(left.toOthers());
        if (isFull && isWorkLeft) {
            request.queues().forEach(queue -> wakes.add(new Wake.Queue(queue)));
        }
        for (ReleasedRow row : isFull ? returns.released() : List.<ReleasedRow>of()) {
            if (ledgers.queue(row.lane().queue()) != null) {
                wakes.add(new Wake.Queue(row.lane().queue()));
            }
        }
        Turn turn = new Turn(
                List.of(),
                returns.refused(),
                returns.givenUp(),
                busy,
                next(plan, returns, started, isWorkLeft, now),
                decidedNanos,
                askedNanos,
                lanes.passesBefore(plan),
                Set.copyOf(wakes),
                filed.isLookDue(),
                plan.served(),
                left.passed(plainLeft > 0, lanesMax()),
                left.denied());
        return new OpenTurn(started, turn);
    }

    private Turn.@Nullable Next next(
            ClaimPlan plan, EndedLeases returns, Pending<List<JobRow>> started, boolean isWorkLeft, long now) {
        if (plan.slotsLeft() == 0) {
            return NextWake.ofMoved(request.queues(), ledgers, now).from(now);
        }
        return isWorkLeft
                ? NextWake.ofMoved(request.queues(), ledgers, now).atOnce(now)
                : NextWake.after(request.queues(), ledgers, plan, nextDue(returns, started), otherGates(), now)
                        .from(now);
    }

    /** When the next job is due by its own time; what filing saw still holds if nothing of that kind has moved since. */
    private @Nullable Long nextDue(EndedLeases returns, Pending<List<JobRow>> started) {
        boolean isStill = filed.isWhole()
                && returns.hasOnlyEnded()
                && (filed.nextDue() == null
                        || started.get().stream().allMatch(job -> job.spec().deadline() == null));
        return isStill
                ? filed.nextDue()
                : tx.jobs().nextDue(request.queues()).get().orElse(null);
    }

    /** When the first gate opens that this turn did not touch. */
    private @Nullable Long otherGates() {
        for (Opening opening : openings.get()) {
            if (!ledgers.byKey().containsKey(opening.gate())) {
                return opening.at();
            }
        }
        boolean isAll = openings.get().size() < OPENINGS_MORE;
        return isAll ? null : tx.gates().nextWake();
    }
}
