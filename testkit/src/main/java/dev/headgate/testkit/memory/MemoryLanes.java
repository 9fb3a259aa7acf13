package dev.headgate.testkit.memory;

import dev.headgate.job.Lane;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.LaneRow;
import dev.headgate.spi.LaneState;
import dev.headgate.spi.LaneTable;
import dev.headgate.spi.Pending;
import dev.headgate.spi.ShareRow.OrderKey;
import dev.headgate.spi.StoreClock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** Lanes and doorbells. */
final class MemoryLanes implements LaneTable {
    private static final Comparator<LaneRow> BY_RANK = (one, other) -> {
        int byRank = Long.compare(one.rank(), other.rank());
        return byRank != 0 ? byRank : one.id().compareTo(other.id());
    };

    private static final Comparator<Doorbell> MOST_URGENT = (one, other) -> {
        int byRank = Long.compare(one.head.rank(), other.head.rank());
        return byRank != 0 ? byRank : Long.compare(one.number, other.number);
    };

    private final Ordered<OrderKey, LaneRow> byPlace = new Ordered<>(MemoryLanes::place, BY_RANK);
    private final Ordered<GateKey, LaneRow> byOrder = new Ordered<>(LaneRow::order, BY_RANK);
    private final Ordered<String, Doorbell> bellsByQueue =
            new Ordered<>(bell -> bell.head().lane().queue(), MOST_URGENT);
    private final Ordered<String, Doorbell> bellsByLane =
            new Ordered<>(bell -> bell.head().laneId(), MOST_URGENT);

    private final Journal journal;
    private final StoreClock clock;
    private final Rows<String, LaneRow> lanes;
    private final Rows<Long, Doorbell> bells;
    private long lastBell;

    private record Doorbell(long number, HeadOfLane head) {}

    MemoryLanes(Journal journal, StoreClock clock) {
        this.journal = journal;
        this.clock = clock;
        this.lanes = new Rows<>(journal, LaneRow::id, List.of(byPlace, byOrder));
        this.bells = new Rows<>(journal, Doorbell::number, List.of(bellsByQueue, bellsByLane));
    }

    private static OrderKey place(LaneRow lane) {
        return new OrderKey(lane.order(), lane.share());
    }

    @Override
    public void ring(Collection<HeadOfLane> arrivals) {
        for (HeadOfLane arrival : arrivals) {
            long before = lastBell;
            lastBell++;
            journal.note(() -> lastBell = before);
            bells.put(new Doorbell(lastBell, arrival));
        }
    }

    @Override
    public Pending<List<HeadOfLane>> takeArrivals(Collection<String> queues, int limit, int enough) {
        List<HeadOfLane> heads = new ArrayList<>();
        for (String queue : queues) {
            OrderKey ready = OrderKey.unshared(GateKey.queue(queue));
            List<LaneRow> before = enough > 0 ? byPlace.first(ready, enough) : List.of();
            long last = enough > 0 && before.size() == enough ? before.getLast().rank() : Long.MAX_VALUE;
            for (Doorbell bell : bellsByQueue.first(queue, limit)) {
                if (bell.head().rank() <= last) {
                    bells.remove(bell.number());
                    heads.add(bell.head());
                }
            }
        }
        return Pending.of(heads);
    }

    /** Queues with a doorbell or a lane that claims look at. */
    Set<String> queuesWithWork() {
        Set<String> queues = new HashSet<>(bellsByQueue.groups());
        for (GateKey order : byOrder.groups()) {
            if (order.scope() == GateKey.Scope.QUEUE) {
                queues.add(order.name());
            }
        }
        return queues;
    }

    @Override
    public void unring(Collection<HeadOfLane> answered) {
        for (HeadOfLane head : answered) {
            for (Doorbell bell : List.copyOf(bellsByLane.in(head.laneId()))) {
                if (bell.head().rank() == head.rank()) {
                    bells.remove(bell.number());
                }
            }
        }
    }

    @Override
    public void file(List<HeadOfLane> arrivals, Function<Lane, String> shares) {
        for (HeadOfLane arrival : arrivals) {
            LaneRow known = lanes.get(arrival.laneId());
            if (known == null) {
                lanes.put(new LaneRow(
                        arrival.laneId(),
                        arrival.lane(),
                        LaneState.READY,
                        arrival.rank(),
                        arrival.cost(),
                        null,
                        clock.micros(),
                        arrival.passes(),
                        shares.apply(arrival.lane())));
            } else if (arrival.rank() <= known.rank()) {
                lanes.put(known.ready(arrival, clock.micros()).sharing(shares.apply(arrival.lane())));
            }
        }
    }

    @Override
    public Pending<List<LaneRow>> lockReady(Collection<OrderKey> queues, int perPlace) {
        List<LaneRow> ready = lines(queues, perPlace);
        ready.sort(BY_RANK);
        return Pending.of(ready);
    }

    @Override
    public Set<OrderKey> occupied(Collection<OrderKey> queues) {
        Set<OrderKey> occupied = new HashSet<>(queues);
        occupied.removeIf(place -> byPlace.in(place).isEmpty());
        return occupied;
    }

    @Override
    public List<LaneRow> lines(Collection<OrderKey> gates, int perPlace) {
        List<LaneRow> first = new ArrayList<>();
        for (OrderKey place : gates) {
            first.addAll(byPlace.first(place, perPlace));
        }
        return first;
    }

    @Override
    public List<LaneRow> lock(Collection<String> wanted) {
        List<LaneRow> found = new ArrayList<>();
        for (String id : wanted.size() < 2 ? wanted : new TreeSet<>(wanted)) {
            LaneRow lane = lanes.get(id);
            if (lane != null) {
                found.add(lane);
            }
        }
        return found;
    }

    @Override
    public void save(List<LaneRow> changed) {
        changed.forEach(lanes::put);
    }

    /** The oldest doorbells of a queue. */
    List<HeadOfLane> bells(String queue, int limit) {
        return bellsByQueue.first(queue, limit).stream().map(Doorbell::head).toList();
    }

    @Override
    public void add(List<LaneRow> fresh) {
        for (LaneRow lane : fresh) {
            if (lanes.get(lane.id()) == null) {
                lanes.put(lane);
            }
        }
    }

    @Override
    public void remove(List<String> gone) {
        gone.forEach(lanes::remove);
    }

    @Override
    public List<LaneRow> findAll(Collection<String> wanted) {
        return lock(wanted);
    }

    @Override
    public int countBefore(OrderKey gate, long rank, int max) {
        return (int) byPlace.in(gate).stream()
                .takeWhile(lane -> lane.rank() < rank)
                .limit(max)
                .count();
    }

    @Override
    public List<GateKey> orders() {
        return List.copyOf(new TreeSet<>(byOrder.groups()));
    }

    @Override
    public List<LaneRow> standing(GateKey order) {
        return List.copyOf(byOrder.in(order));
    }

    @Override
    public Set<GateKey> withLine(Collection<GateKey> gates) {
        Set<GateKey> found = new HashSet<>(gates);
        found.removeIf(gate -> gate.scope() != GateKey.Scope.GATE);
        found.retainAll(byOrder.groups());
        return found;
    }

    @Override
    public List<LineCount> lineCounts() {
        return orders().stream()
                .filter(order -> order.scope() == GateKey.Scope.GATE)
                .map(gate -> new LineCount(gate, byOrder.in(gate).size()))
                .toList();
    }
}
