package dev.headgate.admission;

import dev.headgate.admission.GateLedger.Waiter;
import dev.headgate.job.Cost;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Decides, for all offered lanes together, which jobs start now. Oldest head first; each start takes from every gate it
 * names or from none; a lane that meets a closed gate leaves for that gate's line.
 *
 * <p>Design note. A lane is offered with its first few jobs. The plan pops the lane with the oldest head, asks the
 * queue's own gate and then each gate of the lane, and either grants the head, sets it aside (never fits) or sends the
 * whole lane away. So the cost is the number of grants plus the number of lanes offered, whatever waits behind them.
 *
 * <p>A lane of several gates could be bounced between their lines for ever while lanes of one gate take every free
 * unit. After {@link #PASSES_MAX} bounces the gates that would have let it through keep the next units for it, for
 * {@link #RESERVED_MICROS} at first and twice as long after each further bounce: jobs that outlast the first
 * reservation would otherwise starve it for ever. A gate that only time will open is not waited for with units in hand.
 * Only the oldest lane's reservation stands and older lanes ignore it, so two reservations can never wait for each
 * other.
 */
public final class ClaimPlan {
    static final int PASSES_MAX = 8;
    static final long RESERVED_MICROS = 5 * Micros.PER_SECOND;
    private static final int DOUBLINGS_MAX = 10;

    private final long now;
    private final Map<GateKey, GateLedger> gates;
    private final PriorityQueue<Cursor> order = new PriorityQueue<>(
            Comparator.comparingLong((Cursor c) -> c.head().rank()).thenComparing(c -> c.offer.lane));
    private final Map<String, Decision.Blocked> shutQueues = new HashMap<>();
    private final List<Grant> grants = new ArrayList<>();
    private final List<Misfit> misfits = new ArrayList<>();
    private final Map<String, Fate> fates = new LinkedHashMap<>();
    private int slots;

    /** The first jobs of one lane. {@code isWhole} says that the lane holds no more than these. */
    public record Offer(
            String lane, String queue, List<GateKey> gates, List<Head> heads, boolean isWhole, int passes) {}

    /** One waiting job: all that admission needs of it. */
    public record Head(long job, long rank, Cost cost) {}

    /** A job that starts. */
    public record Grant(long job, String lane) {}

    /** A job that can never start under the present policy. */
    public record Misfit(long job, Decision.NeverFits reason) {}

    /** What becomes of a lane. */
    public sealed interface Fate {
        /** Still claimable: slots ran out, or its queue is shut. */
        record Ready(long rank, Cost cost) implements Fate {}

        /** In line at the gate that blocks its head. */
        record Waiting(GateKey at, long rank, Cost cost, int passes) implements Fate {}

        /** No job left. */
        record Empty() implements Fate {}
    }

    /** @param gates ledgers of every gate of every offered lane, and of each queue that has a policy */
    public ClaimPlan(long now, int slots, Map<GateKey, GateLedger> gates) {
        this.now = now;
        this.slots = slots;
        this.gates = gates;
    }

    /** Adds a lane to choose from. */
    public void offer(Offer offer) {
        if (offer.heads().isEmpty()) {
            ledgers(offer).forEach(gate -> gate.dropReservation(offer.lane()));
            end(offer, new Fate.Empty());
        } else {
            order.add(new Cursor(offer, ledgers(offer)));
        }
    }

    /**
     * Asks for one more start of a job that just gave its place back, before anyone else: an immediate retry keeps its
     * place in line, but pays for its start like any other.
     */
    public boolean restart(Offer offer) {
        Cursor again = new Cursor(offer, ledgers(offer));
        if (slots < 1 || !(decide(again, false) instanceof Decision.Admitted)) {
            return false;
        }
        takeAll(again);
        slots--;
        return true;
    }

    /** Grants until slots, jobs or capacity run out. */
    public ClaimPlan solve() {
        while (slots > 0 && !order.isEmpty()) {
            Cursor cursor = order.remove();
            if (shutQueues.containsKey(cursor.offer.queue())) {
                settle(cursor);
                continue;
            }
            switch (decide(cursor, true)) {
                case Decision.Admitted admitted -> {
                    takeAll(cursor);
                    grants.add(new Grant(cursor.head().job(), cursor.offer.lane()));
                    slots--;
                    advance(cursor);
                }
                case Decision.NeverFits never -> {
                    misfits.add(new Misfit(cursor.head().job(), never));
                    advance(cursor);
                }
                case Decision.Blocked blocked -> turnAway(cursor, blocked);
            }
        }
        order.forEach(this::settle);
        order.clear();
        return this;
    }

    public List<Grant> grants() {
        return grants;
    }

    public List<Misfit> misfits() {
        return misfits;
    }

    public Map<String, Fate> fates() {
        return fates;
    }

    /** Queues whose own limits are shut, with the reason and the instant they open. */
    public Map<String, Decision.Blocked> shutQueues() {
        return shutQueues;
    }

    public int slotsLeft() {
        return slots;
    }

    private Decision decide(Cursor cursor, boolean isMindingLines) {
        Decision.Blocked longest = null;
        for (GateLedger gate : cursor.ledgers) {
            Waiter asker = cursor.waiter(gate);
            Decision decision = isMindingLines ? gate.check(asker, now) : gate.checkLimits(asker, now);
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

    private void turnAway(Cursor cursor, Decision.Blocked blocked) {
        Offer offer = cursor.offer;
        if (blocked.gate().scope() == GateKey.Scope.QUEUE) {
            shutQueues.put(offer.queue(), blocked);
            settle(cursor);
            return;
        }
        int passes = offer.passes() + 1;
        if (offer.gates().size() > 1 && passes >= PASSES_MAX && opensSoon(blocked)) {
            long until = now + (RESERVED_MICROS << Math.min(passes - PASSES_MAX, DOUBLINGS_MAX));
            for (GateLedger gate : cursor.ledgers) {
                Waiter asker = cursor.waiter(gate);
                if (gate.key().scope() == GateKey.Scope.GATE
                        && gate.checkLimits(asker, now) instanceof Decision.Admitted) {
                    gate.reserve(asker, until);
                }
            }
        }
        joinLine(blocked.gate(), cursor);
        Head head = cursor.head();
        end(offer, new Fate.Waiting(blocked.gate(), head.rank(), head.cost(), passes));
    }

    /** Any release may open it, or time will before a first reservation ends. */
    private boolean opensSoon(Decision.Blocked blocked) {
        return blocked.next() == null || Micros.of(blocked.next()) <= now + RESERVED_MICROS;
    }

    /** From here on the lane counts as waiting: younger ones of this very plan must not overtake it. */
    private void joinLine(GateKey at, Cursor cursor) {
        GateLedger gate = gates.get(at);
        if (gate != null) {
            Waiter oldest = gate.lineHead();
            if (oldest == null || cursor.head().rank() < oldest.rank()) {
                gate.lineHead(cursor.waiter(gate));
            }
        }
    }

    private void takeAll(Cursor cursor) {
        for (GateLedger gate : cursor.ledgers) {
            gate.take(cursor.waiter(gate), now);
        }
    }

    private void advance(Cursor cursor) {
        cursor.heads.removeFirst();
        if (cursor.heads.isEmpty()) {
            settle(cursor);
        } else {
            order.add(cursor);
        }
    }

    private void settle(Cursor cursor) {
        if (!cursor.heads.isEmpty()) {
            end(cursor.offer, new Fate.Ready(cursor.head().rank(), cursor.head().cost()));
        } else if (cursor.offer.isWhole()) {
            cursor.ledgers.forEach(gate -> gate.dropReservation(cursor.offer.lane()));
            end(cursor.offer, new Fate.Empty());
        } else {
            // More jobs wait unseen. The last one's rank is a lower bound, so the lane keeps its turn.
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

    private static final class Cursor {
        private final Offer offer;
        private final List<GateLedger> ledgers;
        private final Deque<Head> heads;
        private @Nullable Waiter latest;

        private Cursor(Offer offer, List<GateLedger> ledgers) {
            this.offer = offer;
            this.ledgers = ledgers;
            this.heads = new ArrayDeque<>(offer.heads());
        }

        private Head head() {
            return heads.getFirst();
        }

        /** The head as this gate sees it; the same object again if it costs the same there, because this is asked often. */
        private Waiter waiter(GateLedger gate) {
            Head head = head();
            long units = gate.key().unitsOf(head.cost());
            Waiter known = latest;
            if (known == null || known.job() != head.job() || known.cost() != units || known.rank() != head.rank()) {
                known = new Waiter(offer.lane(), head.rank(), units, head.job());
                latest = known;
            }
            return known;
        }
    }
}
