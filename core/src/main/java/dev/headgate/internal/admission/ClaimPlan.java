package dev.headgate.internal.admission;

import dev.headgate.explain.Decision;
import dev.headgate.explain.Decision.Cause.InLine;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.Cost;
import dev.headgate.limit.GateKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides, for all offered lanes together, which jobs start now. Oldest head first; each start takes from every gate it
 * names or from none; a lane that meets a closed gate leaves for that gate's line.
 *
 * <p>Design note. A lane is offered with its first few jobs. The plan pops the lane with the oldest head, asks the
 * queue's own gate and then each gate of the lane, and either grants the head, sets it aside (never fits) or sends the
 * whole lane away. So the cost is the number of grants plus the number of lanes offered, whatever waits behind them.
 *
 * <p>A lane with several gates could bounce between their lines for ever while lanes with one gate take every free
 * unit. So after {@link #PASSES_MAX} bounces, the gates that would admit it reserve the next units for it: for {@link
 * #RESERVED_MICROS} at first, and twice as long after each further bounce, because jobs that run longer than the first
 * reservation would otherwise starve it for ever. A gate that only time opens is not waited for with units in hand.
 * Only the reservation of the oldest lane stands and older lanes ignore it, so two reservations never wait for each
 * other. A reservation ends with the job it was made for. It also ends if its lane waits in a line behind other lanes:
 * otherwise a lane could wait for its own reservation (deadlock).
 */
public final class ClaimPlan {
    static final int PASSES_MAX = 8;
    static final long RESERVED_MICROS = 5 * Micros.PER_SECOND;
    private static final int DOUBLINGS_MAX = 10;

    private final long now;
    private final Map<GateKey, GateLedger> gates;
    private final PlanOrder order;
    private final Map<String, Decision.Blocked> shutQueues = new HashMap<>();

    /** Queues whose limits block a job that is not the oldest: the older jobs were not read. */
    private final Set<String> unseenQueues = new HashSet<>();

    private final List<Grant> grants = new ArrayList<>();
    private final List<ImpossibleJob> impossibleJobs = new ArrayList<>();
    private final List<Unfit> unfit = new ArrayList<>();
    private final List<Decision.Blocked> refusals = new ArrayList<>();
    private final JobFit.Trial room;
    private final Map<String, Fate> fates = new LinkedHashMap<>();
    private int slots;

    /**
     * The first jobs of one lane.
     *
     * @param isWhole the lane has no other jobs
     * @param chosenAt the gate whose line has just woken the lane
     */
    public record Offer(
            String lane,
            String queue,
            List<GateKey> gates,
            List<Head> heads,
            boolean isWhole,
            int passes,
            @Nullable GateKey chosenAt) {
        public Offer(String lane, String queue, List<GateKey> gates, List<Head> heads, boolean isWhole, int passes) {
            this(lane, queue, gates, heads, isWhole, passes, null);
        }
    }

    /** One waiting job: all that admission needs of it. */
    public record Head(long job, long rank, Cost cost, String type) {
        public Head(long job, long rank, Cost cost) {
            this(job, rank, cost, "");
        }
    }

    /**
     * A job that starts.
     *
     * @param margin the most microseconds from the grant to its call; 0 if there is no bound
     */
    public record Grant(long job, long rank, String lane, long margin) {}

    /** A job that can never start under the present policy. */
    public record ImpossibleJob(long job, Decision.NeverFits reason) {}

    /** A job that its gates admit, but that does not fit the worker. */
    public record Unfit(Head head, String lane, String queue) {}

    /** What becomes of a lane. */
    public sealed interface Fate {
        /** Still claimable: slots ran out, or its queue is shut. */
        record Ready(long rank, Cost cost) implements Fate {}

        /** In line at the gate that blocks its head. */
        record Waiting(GateKey at, long rank, Cost cost, int passes) implements Fate {}

        /** No job left. */
        record Empty() implements Fate {}
    }

    /**
     * Begins a plan that fills at most this many slots.
     *
     * @param gates ledgers of every gate of every offered lane, and of each queue that has a policy
     */
    public ClaimPlan(long now, int slots, Map<GateKey, GateLedger> gates) {
        this(now, slots, gates, QueueTurns.OLDEST_FIRST, JobFit.ALWAYS.trial());
    }

    /**
     * A plan for a worker that serves its queues in a certain order and has capacity for some jobs only.
     *
     * @param gates ledgers of every gate of every offered lane, and of each queue that has a policy
     * @param serving names every queue whose lanes are offered
     */
    public ClaimPlan(long now, int slots, Map<GateKey, GateLedger> gates, QueueTurns serving, JobFit.Trial room) {
        this.room = room;
        this.now = now;
        this.slots = slots;
        this.gates = gates;
        this.order = new PlanOrder(gates, serving);
    }

    /** Adds a lane to choose from. */
    public void offer(Offer offer) {
        if (offer.heads().isEmpty()) {
            ledgers(offer).forEach(gate -> gate.dropReservation(offer.lane()));
            end(offer, new Fate.Empty());
            order.meet(new LaneCursor(offer, ledgers(offer)));
        } else {
            order.add(new LaneCursor(offer, ledgers(offer)));
        }
    }

    /**
     * Whether an open queue has unread jobs that may start: jobs older than a blocked one, or the queue's turn came.
     */
    public boolean hasUnseen() {
        return !unseenQueues.isEmpty() || order.hasUnseen(shutQueues.keySet());
    }

    /**
     * Asks for one more start of a job that has just given its place back, before all other jobs: an immediate retry
     * keeps its place in line, but pays for its start like any other. Absent if it may not start.
     */
    public @Nullable Grant restart(Offer offer) {
        LaneCursor again = new LaneCursor(offer, ledgers(offer));
        if (slots < 1 || !(decide(again, false) instanceof Decision.Admitted)) {
            return null;
        }
        long asked = margin(again);
        if (!room.take(again.head(), asked)) {
            return null;
        }
        long margin = takeAll(again, true, asked);
        slots--;
        return new Grant(again.head().job(), again.head().rank(), offer.lane(), margin);
    }

    /**
     * Turns a lane away before its jobs are read, if a gate blocks the head that its doorbell names. Returns whether it
     * did. If that head is already gone, the lane waits all the same; its next head is judged when the lane wakes.
     */
    public boolean deny(Offer rung) {
        LaneCursor cursor = new LaneCursor(rung, ledgers(rung));
        if (decide(cursor, true) instanceof Decision.Blocked blocked
                && blocked.gate().scope() == GateKey.Scope.GATE) {
            turnAway(cursor, blocked);
            return true;
        }
        return false;
    }

    /** Grants until slots, jobs or capacity run out. */
    public ClaimPlan solve() {
        LaneCursor cursor;
        while (slots > 0 && (cursor = order.next(shutQueues.keySet())) != null) {
            String queue = cursor.offer.queue();
            if (shutQueues.containsKey(queue) || unseenQueues.contains(queue)) {
                settle(cursor);
                continue;
            }
            switch (decide(cursor, true)) {
                case Decision.Admitted admitted -> startIfItFits(cursor);
                case Decision.NeverFits never -> {
                    impossibleJobs.add(new ImpossibleJob(cursor.head().job(), never));
                    advance(cursor);
                }
                case Decision.Blocked blocked -> turnAway(cursor, blocked);
            }
        }
        order.drain().forEach(this::settle);
        return this;
    }

    /** Says that more lanes of this queue are ready than are offered. */
    public void hasMore(String queue) {
        order.hasMore(queue);
    }

    /** Returns the queue turns of the worker after these grants. */
    public QueueTurns served() {
        return order.served();
    }

    public List<Grant> grants() {
        return grants;
    }

    /** Jobs that do not fit this worker, in the order in which they were met. */
    public List<Unfit> unfit() {
        return unfit;
    }

    public List<ImpossibleJob> impossibleJobs() {
        return impossibleJobs;
    }

    public Map<String, Fate> fates() {
        return fates;
    }

    /** Queues whose own limits are closed, with the reason and the instant at which they open. */
    public Map<String, Decision.Blocked> shutQueues() {
        return shutQueues;
    }

    /** Why lanes were turned away, one for each time. */
    public List<Decision.Blocked> refusals() {
        return refusals;
    }

    public int slotsLeft() {
        return slots;
    }

    private Decision decide(LaneCursor cursor, boolean isMindingLines) {
        Decision.Blocked longest = null;
        for (GateLedger gate : cursor.ledgers) {
            Waiter asker = cursor.waiter(gate);
            Decision decision =
                    isMindingLines ? gate.check(asker, cursor.isChosenAt(gate), now) : gate.checkLimits(asker, now);
            if (decision instanceof Decision.NeverFits) {
                return decision;
            }
            if (decision instanceof Decision.Blocked blocked) {
                if (gate.key().scope() == GateKey.Scope.QUEUE) {
                    return blocked;
                }
                longest = Decision.Blocked.later(longest, blocked);
            }
        }
        return longest == null ? Decision.ADMITTED : longest;
    }

    private void startIfItFits(LaneCursor cursor) {
        long asked = margin(cursor);
        if (room.take(cursor.head(), asked)) {
            long margin = takeAll(cursor, false, asked);
            cursor.started();
            Head head = cursor.head();
            grants.add(new Grant(head.job(), head.rank(), cursor.offer.lane(), margin));
            order.started(cursor.offer.queue());
            slots--;
            advance(cursor);
        } else {
            passOver(cursor);
        }
    }

    /**
     * A lane without gates has no order to keep, so the jobs behind the head are tried. A lane with gates stays ready
     * as it is, and any worker with enough capacity takes its head.
     */
    private void passOver(LaneCursor cursor) {
        unfit.add(new Unfit(cursor.head(), cursor.offer.lane(), cursor.offer.queue()));
        boolean isPassed = cursor.offer.gates().isEmpty() && room.mayBePassed(cursor.head());
        if (isPassed) {
            cursor.next();
        }
        if (isPassed && !cursor.isSpent()) {
            order.add(cursor);
        } else {
            settle(cursor);
        }
    }

    private void turnAway(LaneCursor cursor, Decision.Blocked blocked) {
        Offer offer = cursor.offer;
        refusals.add(blocked);
        if (blocked.gate().scope() == GateKey.Scope.QUEUE) {
            if (order.isBehindUnseen(cursor)) {
                unseenQueues.add(offer.queue());
            } else {
                shutQueues.put(offer.queue(), blocked);
            }
            settle(cursor);
            return;
        }
        order.moved(offer.queue());
        int passes = offer.passes() + 1;
        if (offer.gates().size() > 1) {
            keepForNextTime(cursor, blocked, passes);
        }
        joinLine(blocked.gate(), cursor);
        Head head = cursor.head();
        end(offer, new Fate.Waiting(blocked.gate(), head.rank(), head.cost(), passes));
    }

    private void keepForNextTime(LaneCursor cursor, Decision.Blocked blocked, int passes) {
        boolean isBehindOthers = blocked.cause() instanceof InLine;
        boolean isReserving = passes >= PASSES_MAX && !isBehindOthers && opensSoon(blocked);
        long until = now + (RESERVED_MICROS << Math.clamp(passes - PASSES_MAX, 0, DOUBLINGS_MAX));
        for (GateLedger gate : cursor.ledgers) {
            Waiter asker = cursor.waiter(gate);
            if (isBehindOthers || gate.key().equals(blocked.gate())) {
                gate.dropReservation(asker.lane());
            } else if (gate.key().scope() == GateKey.Scope.GATE) {
                gate.dropFormer(asker);
                if (isReserving && gate.next(asker, now) == GateLedger.AT_ONCE) {
                    gate.reserve(asker, until);
                }
            }
        }
    }

    /** A release may come at any time; time must open the gate before a first reservation ends. */
    private boolean opensSoon(Decision.Blocked blocked) {
        return blocked.next() == null || Micros.of(blocked.next()) <= now + RESERVED_MICROS;
    }

    /** From here on the lane counts as waiting: younger lanes of this plan must not overtake it. */
    private void joinLine(GateKey at, LaneCursor cursor) {
        GateLedger gate = gates.get(at);
        if (gate != null) {
            gate.line().join(cursor.waiter(gate));
        }
    }

    /** A start has one deadline, however many gates it passes. */
    private long margin(LaneCursor cursor) {
        StartMargin deadline = new StartMargin();
        for (GateLedger gate : cursor.ledgers) {
            deadline.pass(gate, gate.key().unitsOf(cursor.head().cost()), now);
        }
        return deadline.micros();
    }

    /** Returns the margin of the start. */
    private long takeAll(LaneCursor cursor, boolean isRestart, long asked) {
        long margin = room.margin(cursor.head(), asked);
        for (GateLedger gate : cursor.ledgers) {
            gate.take(cursor.waiter(gate), isRestart, margin, now);
        }
        return margin;
    }

    private void advance(LaneCursor cursor) {
        cursor.next();
        order.moved(cursor.offer.queue());
        if (cursor.isSpent()) {
            settle(cursor);
        } else {
            order.add(cursor);
        }
    }

    private void settle(LaneCursor cursor) {
        if (!cursor.isSpent()) {
            end(cursor.offer, new Fate.Ready(cursor.head().rank(), cursor.head().cost()));
        } else if (cursor.offer.isWhole()) {
            cursor.ledgers.forEach(gate -> gate.dropReservation(cursor.offer.lane()));
            end(cursor.offer, new Fate.Empty());
        } else {
            order.isUnfinished(cursor);
            // More jobs wait unread. The last rank is a lower bound, so the lane keeps its turn.
            Head last = cursor.offer.heads().getLast();
            end(cursor.offer, new Fate.Ready(last.rank(), last.cost()));
        }
    }

    private void end(Offer offer, Fate fate) {
        fates.put(offer.lane(), fate);
    }

    private List<GateLedger> ledgers(Offer offer) {
        List<GateLedger> all = new ArrayList<>(offer.gates().size() + 1);
        addKnown(all, GateKey.queue(offer.queue()));
        offer.gates().forEach(gate -> addKnown(all, gate));
        return all;
    }

    private void addKnown(List<GateLedger> all, GateKey key) {
        @Nullable GateLedger ledger = gates.get(key);
        if (ledger != null) {
            all.add(ledger);
        } else if (key.scope() == GateKey.Scope.GATE) {
            throw new IllegalStateException(
                    "%s: expected its row to be locked before a claim is planned".formatted(key));
        }
    }
}
