package dev.headgate.internal.gate;

import dev.headgate.internal.admission.ClaimPlan;
import dev.headgate.internal.admission.ClaimPlan.Head;
import dev.headgate.internal.admission.ClaimPlan.Offer;
import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.internal.lane.LockedShares;
import dev.headgate.job.Lane;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.DemandTable.Due;
import dev.headgate.spi.GateRow;
import dev.headgate.spi.GateTable.Opening;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.HeadRow;
import dev.headgate.spi.StoreTransaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How many jobs of some queues could start now, if there were slots for them: what a turn would claim, decided by the same
 * plan over the same rows, but read without locks and never written.
 *
 * <p>Design note. A worker without a free slot files no arrivals, promotes no due jobs and wakes no line, so what could start
 * may be in any of these places: all are read. The order in lines and shares does not matter for a count. The cost is
 * bounded: {@code max} lanes of each queue, and {@link #DEPTH} times as many jobs.
 */
public final class Admissible {
    /** Up to this number of lanes each is read to the bound; more lanes share the same number of jobs. */
    private static final int DEPTH = 16;

    private static final int GATES_MAX = 256;

    private final StoreTransaction tx;
    private final PolicyBook book;
    private final ParkedByClaim parked;
    private final long now;
    private final int max;
    private final Map<String, Lane> lanes = new TreeMap<>();
    private final Map<String, List<Head>> due = new HashMap<>();
    private final Map<String, Integer> dueByQueue = new TreeMap<>();
    private final Map<String, Integer> startable = new TreeMap<>();
    private final Set<String> inNoLine = new TreeSet<>();

    private Admissible(StoreTransaction tx, int max) {
        this.tx = tx;
        this.book = tx.policies();
        this.parked = new ParkedByClaim(tx, book);
        this.now = tx.now();
        this.max = max;
    }

    /** Counts up to {@code max} jobs of each queue; a paused queue has none. */
    public static Admissible in(StoreTransaction tx, Collection<String> queues, int max) {
        Admissible admissible = new Admissible(tx, max);
        Set<String> open = new TreeSet<>(queues);
        open.removeIf(queue -> admissible.book.isPaused(GateKey.queue(queue)));
        if (!queues.isEmpty() && max > 0) {
            admissible.findDue(queues);
        }
        if (!open.isEmpty() && max > 0) {
            admissible.findLanes(open);
            admissible.plan(open.size());
        }
        return admissible;
    }

    public int of(String queue) {
        return startable.getOrDefault(queue, 0);
    }

    /** Whether lanes of the queue stand in no line: no gate wakes them, only a turn can judge them. */
    boolean hasLanesInNoLine(String queue) {
        return inNoLine.contains(queue);
    }

    /** How many of the scheduled jobs of a queue are due, as far as was read. */
    public int dueIn(String queue) {
        return dueByQueue.getOrDefault(queue, 0);
    }

    private void findDue(Collection<String> queues) {
        long number = 0;
        for (Due each : tx.demand().due(queues, now, max)) {
            HeadOfLane head = each.head();
            dueByQueue.merge(head.lane().queue(), 1, Integer::sum);
            boolean isPaused = book.isTypePaused(each.type())
                    || book.isPaused(GateKey.queue(head.lane().queue()));
            if (!isPaused && !each.isBehindLine()) {
                // The numbers do not matter; no other job has a negative one.
                due.computeIfAbsent(head.laneId(), lane -> new ArrayList<>())
                        .add(new Head(--number, head.rank(), head.cost()));
                lanes.put(head.laneId(), head.lane());
            }
        }
    }

    private void findLanes(Set<String> open) {
        open.stream().map(queue -> new Lane(queue, List.of())).forEach(lane -> lanes.put(lane.id(), lane));
        tx.demand().ready(open, max).forEach(lane -> lanes.put(lane.id(), lane.lane()));
        tx.demand().arriving(open, max).forEach(head -> lanes.put(head.laneId(), head.lane()));
        lanes.values().stream().filter(lane -> !lane.isPlain()).forEach(lane -> inNoLine.add(lane.queue()));
        List<GateKey> opened = tx.gates().openings(now, GATES_MAX, 0).get().stream()
                .map(Opening::gate)
                .toList();
        if (!opened.isEmpty()) {
            new LockedShares(tx, book, Map.of())
                    .lines(opened, max).stream()
                            .filter(lane -> open.contains(lane.lane().queue()))
                            .forEach(lane -> lanes.put(lane.id(), lane.lane()));
        }
    }

    private void plan(int queues) {
        int perLane = Math.clamp((long) DEPTH * max / lanes.size(), 1, max);
        Map<String, List<HeadRow>> rows = new HashMap<>();
        tx.demand()
                .heads(lanes.keySet(), perLane)
                .forEach(row -> rows.computeIfAbsent(row.lane(), lane -> new ArrayList<>())
                        .add(row));
        ClaimPlan plan = new ClaimPlan(now, Math.multiplyExact(queues, max), ledgers());
        lanes.forEach((id, lane) -> {
            List<Head> heads = new ArrayList<>(parked.unpaused(rows.getOrDefault(id, List.of())));
            heads.addAll(due.getOrDefault(id, List.of()));
            heads.sort(Comparator.comparingLong(Head::rank));
            List<GateKey> gates = GateKey.gatesOf(lane);
            plan.offer(new Offer(id, lane.queue(), gates, heads, true, 0));
        });
        for (ClaimPlan.Grant grant : plan.solve().grants()) {
            Lane lane = lanes.get(grant.lane());
            if (lane != null) {
                startable.merge(lane.queue(), 1, (one, more) -> Math.min(max, one + more));
            }
        }
    }

    private Map<GateKey, GateLedger> ledgers() {
        Set<GateKey> keys = new TreeSet<>();
        for (Lane lane : lanes.values()) {
            GateKey queue = GateKey.queue(lane.queue());
            if (book.isCounted(queue)) {
                keys.add(queue);
            }
            lane.gates().forEach(gate -> keys.add(GateKey.gate(gate)));
        }
        Map<GateKey, GateLedger> ledgers = new HashMap<>();
        if (!keys.isEmpty()) {
            tx.gates().findAll(keys).forEach(row -> ledgers.put(row.key(), row.ledger(book, now)));
            keys.removeAll(ledgers.keySet());
            keys.forEach(key -> ledgers.put(key, GateRow.fresh(key).ledger(book, now)));
        }
        return ledgers;
    }
}
