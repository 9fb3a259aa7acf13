package dev.headgate.testkit.memory;

import dev.headgate.admission.GateKey;
import dev.headgate.job.Lane;
import dev.headgate.store.HeadOfLane;
import dev.headgate.store.LaneRow;
import dev.headgate.store.LaneState;
import dev.headgate.store.LaneTable;
import dev.headgate.store.ShareRow.Place;
import dev.headgate.store.StoreClock;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/** Lanes and doorbells. */
final class MemoryLanes implements LaneTable {
    private static final Comparator<LaneRow> BY_RANK =
            Comparator.comparingLong(LaneRow::rank).thenComparing(LaneRow::id);

    private static final Comparator<Doorbell> MOST_URGENT =
            Comparator.<Doorbell>comparingLong(bell -> bell.head().rank()).thenComparingLong(Doorbell::number);

    private final Ordered<Place, LaneRow> byPlace = new Ordered<>(MemoryLanes::place, BY_RANK);
    private final Ordered<GateKey, LaneRow> byOrder = new Ordered<>(LaneRow::order, BY_RANK);
    private final Ordered<String, Doorbell> bellsByQueue =
            new Ordered<>(bell -> bell.head().lane().queue(), MOST_URGENT);

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
        this.bells = new Rows<>(journal, Doorbell::number, List.of(bellsByQueue));
    }

    private static Place place(LaneRow lane) {
        return new Place(lane.order(), lane.share());
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
    public List<HeadOfLane> takeArrivals(Collection<String> queues, int limit) {
        List<Doorbell> rung = bellsByQueue.first(queues, limit);
        rung.forEach(bell -> bells.remove(bell.number()));
        return rung.stream().map(Doorbell::head).toList();
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
                lanes.put(known.ready(arrival.rank(), arrival.cost(), clock.micros())
                        .sharing(shares.apply(arrival.lane())));
            }
        }
    }

    @Override
    public List<LaneRow> lockReady(Collection<Place> queues, int perPlace) {
        return first(queues, perPlace).sorted(BY_RANK).toList();
    }

    @Override
    public List<LaneRow> lines(Collection<Place> gates, int perPlace) {
        return first(gates, perPlace).toList();
    }

    private Stream<LaneRow> first(Collection<Place> places, int perPlace) {
        return places.stream().flatMap(place -> byPlace.first(place, perPlace).stream());
    }

    @Override
    public List<LaneRow> lock(Collection<String> wanted) {
        return new TreeSet<>(wanted)
                .stream().map(lanes::get).filter(Objects::nonNull).toList();
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
        fresh.stream().filter(lane -> lanes.get(lane.id()) == null).forEach(lanes::put);
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
    public int countBefore(Place gate, long rank, int max) {
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
    public List<LineCount> lineCounts() {
        return orders().stream()
                .filter(order -> order.scope() == GateKey.Scope.GATE)
                .map(gate -> new LineCount(gate, byOrder.in(gate).size()))
                .toList();
    }
}
