package dev.headgate.internal.lane;

import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.admission.Line;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.admission.Shares;
import dev.headgate.job.Lane;
import dev.headgate.limit.FairShare;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.LaneRow;
import dev.headgate.spi.Pending;
import dev.headgate.spi.ShareRow;
import dev.headgate.spi.ShareRow.OrderKey;
import dev.headgate.spi.StoreTransaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The shares of the fair queues and gates that a transition has locked: reads the few it needs, and writes what changed.
 *
 * <p>Design note. The next lane in a fair order is found in two steps, the shares with the least tags and then a few lanes of
 * each, so a claim costs the same whether a tenant has one lane or a thousand. What was not read is remembered as unseen,
 * and nothing is started past it. A lane joins a fair order only under the lock of that order. A worker that wakes a lane of
 * a queue it does not serve does not hold this lock: it rings the doorbell of the lane.
 */
public final class LockedShares {
    private static final int SHARES_MAX = 64;
    private static final int LANES_MAX = 512;
    private static final int LANES_PER_SHARE_MIN = 8;

    private final StoreTransaction tx;
    private final PolicyBook book;
    private final Map<GateKey, GateLedger> ledgers;
    private final Set<GateKey> seen = new HashSet<>();
    private int reach;

    /** Reads up to {@code perPlace} lanes of each of these places. */
    private interface Reader {
        Pending<List<LaneRow>> read(Collection<OrderKey> places, int perPlace);
    }

    /**
     * Reads and locks nothing yet.
     *
     * @param ledgers the locked gates and queues; more may come
     */
    public LockedShares(StoreTransaction tx, PolicyBook book, Map<GateKey, GateLedger> ledgers) {
        this.tx = tx;
        this.book = book;
        this.ledgers = ledgers;
    }

    /** Sets how many shares and lanes of a fair order are read at least. */
    public void reach(int lanes) {
        reach = lanes;
    }

    /** Makes the working copy of a fair gate or queue share. */
    public void attach(GateLedger ledger, long now) {
        FairShare rule = ledger.policy().options().fair();
        if (rule != null) {
            Line line = ledger.line();
            Shares shares = new Shares(rule, line.virtual(), line.usual(), key -> weight(book, key));
            shares.at(now);
            line.shares(shares);
        }
    }

    public static int weight(PolicyBook book, String key) {
        return key.isEmpty() ? 1 : book.policyFor(GateKey.gate(key)).options().weight();
    }

    private @Nullable Shares shares(GateKey order) {
        GateLedger ledger = ledgers.get(order);
        return ledger == null ? null : ledger.line().shares();
    }

    private @Nullable FairShare rule(GateKey order) {
        if (!book.hasFair()) {
            return null;
        }
        GateLedger ledger = ledgers.get(order);
        return (ledger == null ? book.policyFor(order) : ledger.policy())
                .options()
                .fair();
    }

    /** The share of a lane in the order of this queue or gate; empty if it is not fair. */
    String share(GateKey order, Lane lane) {
        FairShare rule = rule(order);
        return rule == null ? "" : rule.keyOf(lane.gates());
    }

    /** Loads the shares of these lanes at every locked queue and gate that they pass. */
    public void meet(Collection<Lane> lanes) {
        if (!book.hasFair()) {
            return;
        }
        Set<OrderKey> unknown = new LinkedHashSet<>();
        for (Lane lane : new HashSet<>(lanes)) {
            meet(lane, GateKey.queue(lane.queue()), unknown);
            for (String gate : lane.gates()) {
                meet(lane, GateKey.gate(gate), unknown);
            }
        }
        if (unknown.isEmpty()) {
            return;
        }
        tx.shares().find(unknown).forEach(this::restore);
        for (OrderKey place : unknown) {
            Shares shares = shares(place.order());
            if (shares != null && !shares.knows(place.share())) {
                shares.restore(place.share(), Shares.Share.NEW);
            }
        }
    }

    private void meet(Lane lane, GateKey order, Set<OrderKey> unknown) {
        Shares shares = shares(order);
        String key = shares == null ? "" : shares.rule().keyOf(lane.gates());
        if (shares != null && !shares.knows(key)) {
            unknown.add(new OrderKey(order, key));
        }
    }

    /** Does not replace a share that is loaded: this transition may have changed it. */
    private void restore(ShareRow row) {
        GateLedger ledger = ledgers.get(row.resource());
        Shares shares = ledger == null ? null : ledger.line().shares();
        if (ledger != null && shares != null && !shares.knows(row.key())) {
            shares.restore(row.key(), row.share().runningAtMost(ledger.leases()));
        }
    }

    /**
     * A lane of this share joins the order. In a queue that shares time, the others are read for that. Not at a gate: a lane that
     * left the line because it may start is not idle, and would lose its credit each time it comes back.
     */
    private void enter(GateKey order, Shares shares, String key, long rank) {
        boolean isEntry = order.scope() == GateKey.Scope.QUEUE
                && shares.rule().charge() == FairShare.Charge.TIME
                && !shares.share(key).isStanding();
        if (isEntry) {
            if (seen.add(order)) {
                tx.shares().edges(order, SHARES_MAX).forEach(this::restore);
            }
            shares.level();
        }
        shares.stand(key, rank);
    }

    /** Whether any queue or gate is fair. */
    public boolean isAny() {
        return book.hasFair();
    }

    /** Whether its lanes stand in a fair order. */
    public boolean isFair(String queue) {
        return book.hasFair() && rule(GateKey.queue(queue)) != null;
    }

    /** Files arrivals in fair queues, which are locked. */
    void file(List<HeadOfLane> arrivals) {
        meet(arrivals.stream().map(HeadOfLane::lane).toList());
        tx.lanes().file(arrivals, lane -> share(GateKey.queue(lane.queue()), lane));
        for (HeadOfLane arrival : arrivals) {
            GateKey queue = GateKey.queue(arrival.lane().queue());
            Shares shares = shares(queue);
            if (shares != null) {
                enter(queue, shares, shares.rule().keyOf(arrival.lane().gates()), arrival.rank());
            }
        }
        // Now, because the claim that follows reads which shares come first.
        save();
    }

    /** The same lane with its share in its order; absent if that order is fair and not locked. */
    @Nullable
    public LaneRow placed(LaneRow lane) {
        GateKey order = lane.order();
        FairShare rule = rule(order);
        if (rule == null) {
            return lane.share().isEmpty() ? lane : lane.sharing("");
        }
        Shares shares = shares(order);
        if (shares == null) {
            return null;
        }
        String key = rule.keyOf(lane.lane().gates());
        enter(order, shares, key, lane.rank());
        return lane.share().equals(key) ? lane : lane.sharing(key);
    }

    /** Locks the ready lanes of these queues that come first. */
    public Pending<List<LaneRow>> lockReady(Collection<String> queues, int perQueue) {
        List<GateKey> orders = new ArrayList<>(queues.size());
        queues.forEach(queue -> orders.add(GateKey.queue(queue)));
        return read(orders, perQueue, tx.lanes()::lockReady);
    }

    /** The first lanes in the lines of these gates; for a gate that is not locked it is only a hint. */
    public List<LaneRow> lines(Collection<GateKey> gates, int perGate) {
        return read(gates, perGate, (places, most) -> Pending.of(tx.lanes().lines(places, most)))
                .get();
    }

    private Pending<List<LaneRow>> read(Collection<GateKey> orders, int perOrder, Reader table) {
        List<OrderKey> unshared = new ArrayList<>(orders.size());
        List<GateKey> fair = new ArrayList<>();
        for (GateKey order : orders.size() < 2 ? orders : new TreeSet<>(orders)) {
            if (rule(order) == null) {
                unshared.add(OrderKey.unshared(order));
            } else {
                fair.add(order);
            }
        }
        Pending<List<LaneRow>> lanes = unshared.isEmpty() ? Pending.of(List.of()) : table.read(unshared, perOrder);
        if (fair.isEmpty()) {
            return lanes;
        }
        List<LaneRow> all = new ArrayList<>(lanes.get());
        all.addAll(readFair(fair, perOrder, table));
        return Pending.of(all);
    }

    private List<LaneRow> readFair(List<GateKey> fair, int perOrder, Reader table) {
        Map<GateKey, List<ShareRow>> first = new TreeMap<>();
        int sharesMax = Math.max(SHARES_MAX, reach);
        tx.shares().first(fair, sharesMax).forEach(row -> {
            restore(row);
            first.computeIfAbsent(row.resource(), order -> new ArrayList<>()).add(row);
        });
        List<OrderKey> places = new ArrayList<>();
        int most = 1;
        for (Map.Entry<GateKey, List<ShareRow>> order : first.entrySet()) {
            List<ShareRow> rows = order.getValue();
            most = Math.max(most, rows.size());
            rows.forEach(row -> places.add(row.place()));
            Shares shares = shares(order.getKey());
            if (shares != null && rows.size() == sharesMax) {
                shares.horizon(rows.getLast().share().finish());
                rows.forEach(row -> shares.bringUp(row.key()));
            } else if (shares != null) {
                shares.noHorizon();
            }
        }
        int perShare = Math.min(perOrder, Math.max(LANES_PER_SHARE_MIN, Math.max(LANES_MAX, reach) / most));
        List<LaneRow> lanes =
                places.isEmpty() ? List.of() : table.read(places, perShare).get();
        Set<GateKey> met = noteWhatWasSeen(places, lanes, perShare);
        List<GateKey> onlyGone = first.keySet().stream()
                .filter(order -> !met.contains(order) && isCut(order))
                .toList();
        if (onlyGone.isEmpty()) {
            return lanes;
        }
        // All shares that were read have no lanes any more; others stand behind them.
        save();
        List<LaneRow> all = new ArrayList<>(lanes);
        all.addAll(readFair(onlyGone, perOrder, table));
        return all;
    }

    private boolean isCut(GateKey order) {
        Shares shares = shares(order);
        return shares != null && shares.hasHorizon();
    }

    /** Returns the orders in which a lane was found. */
    private Set<GateKey> noteWhatWasSeen(List<OrderKey> places, List<LaneRow> lanes, int perShare) {
        List<OrderKey> empty = new ArrayList<>();
        Map<OrderKey, Integer> found = new HashMap<>();
        for (LaneRow lane : lanes) {
            found.merge(new OrderKey(lane.order(), lane.share()), 1, Integer::sum);
        }
        for (OrderKey place : places) {
            Shares shares = shares(place.order());
            int count = found.getOrDefault(place, 0);
            if (shares != null && count == perShare) {
                shares.hasMore(place.share());
            } else if (shares != null && count == 0) {
                empty.add(place);
            }
        }
        Set<GateKey> met = new HashSet<>();
        leave(empty).forEach(place -> met.add(place.order()));
        found.keySet().forEach(place -> met.add(place.order()));
        return met;
    }

    /** Takes shares out of their order, if no lane of theirs stands there any more. Returns those that stay. */
    private Set<OrderKey> leave(List<OrderKey> empty) {
        List<OrderKey> inQueues = new ArrayList<>(empty);
        inQueues.removeIf(place -> place.order().scope() != GateKey.Scope.QUEUE);
        Set<OrderKey> occupied = inQueues.isEmpty() ? Set.of() : tx.lanes().occupied(inQueues);
        for (OrderKey place : empty) {
            Shares shares = shares(place.order());
            if (shares != null && !occupied.contains(place)) {
                shares.leave(place.share());
            }
        }
        return occupied;
    }

    /**
     * These lanes were ready in a queue and have joined the line of a gate. A share without another lane leaves the order of its
     * queue now, or the next turn would read this share first and find nothing.
     */
    public void denied(Collection<LaneRow> lanes) {
        Set<OrderKey> left = new LinkedHashSet<>();
        for (LaneRow lane : lanes) {
            GateKey queue = GateKey.queue(lane.lane().queue());
            if (shares(queue) != null) {
                left.add(new OrderKey(queue, share(queue, lane.lane())));
            }
        }
        if (!left.isEmpty()) {
            leave(List.copyOf(left));
        }
    }

    /**
     * How many of the starts each of these lanes may get: in a fair queue by its share, else evenly over all lanes, or over
     * those of its queue if each queue may get all starts.
     */
    public Map<String, Integer> forecast(Collection<LaneRow> lanes, int starts, boolean isByQueue) {
        Map<OrderKey, List<LaneRow>> byPlace = new HashMap<>();
        for (LaneRow lane : lanes) {
            GateKey queue = GateKey.queue(lane.lane().queue());
            OrderKey place =
                    shares(queue) == null ? OrderKey.unshared(queue) : new OrderKey(queue, share(queue, lane.lane()));
            byPlace.computeIfAbsent(place, each -> new ArrayList<>()).add(lane);
        }
        Map<String, Integer> counts = new HashMap<>();
        byPlace.forEach((place, own) -> {
            Shares shares = shares(place.order());
            int rivals = isByQueue ? own.size() : lanes.size();
            int even = Math.max(1, Math.ceilDiv(starts, Math.max(1, rivals)));
            int each = even;
            if (shares != null) {
                List<String> waiting = byPlace.keySet().stream()
                        .filter(other -> other.order().equals(place.order()))
                        .map(OrderKey::share)
                        .toList();
                int wanted = Math.ceilDiv(shares.forecast(place.share(), waiting, starts), own.size());
                // Rounded up to a power of two, so that few different numbers make few statements; and one more, to see
                // whether the lane ends there: else a lane without jobs could be the next turn of its share.
                each = Math.max(even, Integer.highestOneBit(Math.max(1, 2 * wanted - 1)) + 1);
            }
            for (LaneRow lane : own) {
                counts.put(lane.id(), each);
            }
        });
        return counts;
    }

    /** A lease has ended: a share of time is charged until now, a share of cost what it really cost. */
    public void ended(GateLedger ledger, Lane lane, long charged, long actual, long startedAt, long now) {
        Shares shares = ledger.line().shares();
        if (shares != null) {
            String key = shares.rule().keyOf(lane.gates());
            shares.at(now);
            shares.settled(key, charged, actual);
            shares.ended(key, now - startedAt);
        }
    }

    /** A lease has come back without having begun: it is not charged. */
    public void givenUp(GateLedger ledger, Lane lane, long charged, long startedAt, long now) {
        Shares shares = ledger.line().shares();
        if (shares != null) {
            shares.at(now);
            shares.givenUp(shares.rule().keyOf(lane.gates()), charged, now - startedAt);
        }
    }

    /** Writes what changed. Call it before the gates are written, because they carry the virtual times. */
    public void save() {
        if (!book.hasFair()) {
            return;
        }
        List<ShareRow> changed = new ArrayList<>();
        for (GateLedger ledger : ledgers.values()) {
            Shares shares = ledger.line().shares();
            if (shares != null) {
                long by = shares.rebase();
                if (by > 0) {
                    tx.shares().rebase(ledger.key(), by);
                }
                shares.changed().forEach(key -> changed.add(new ShareRow(ledger.key(), key, shares.share(key))));
            }
        }
        if (changed.isEmpty()) {
            return;
        }
        changed.sort(Comparator.comparing(ShareRow::resource).thenComparing(ShareRow::key));
        tx.shares().save(changed);
        for (GateLedger ledger : ledgers.values()) {
            Shares shares = ledger.line().shares();
            if (shares != null && shares.hasIdle()) {
                tx.shares().prune(ledger.key(), shares.virtual());
            }
            if (shares != null) {
                shares.saved();
            }
        }
    }
}
