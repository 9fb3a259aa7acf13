package dev.headgate.proof.simulation;

import dev.headgate.job.Lane;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.LaneRow;
import dev.headgate.spi.LaneTable;
import dev.headgate.spi.Pending;
import dev.headgate.spi.ShareRow.OrderKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Lanes of which some are locked by another transaction, so that reads which skip locked rows miss them: a database does
 * that to every claim, the store in memory has no locks.
 */
final class SkippingLanes implements LaneTable {
    private final LaneTable lanes;
    private final BooleanSupplier isLocked;

    /** @param isLocked asked for each row that a read would find */
    SkippingLanes(LaneTable lanes, BooleanSupplier isLocked) {
        this.lanes = lanes;
        this.isLocked = isLocked;
    }

    private List<LaneRow> unlocked(List<LaneRow> rows) {
        List<LaneRow> left = new ArrayList<>(rows);
        left.removeIf(row -> isLocked.getAsBoolean());
        return left;
    }

    @Override
    public Pending<List<HeadOfLane>> takeArrivals(Collection<String> queues, int limit, int enough) {
        List<HeadOfLane> taken =
                new ArrayList<>(lanes.takeArrivals(queues, limit, enough).get());
        List<HeadOfLane> skipped = new ArrayList<>();
        taken.removeIf(head -> isLocked.getAsBoolean() && skipped.add(head));
        if (!skipped.isEmpty()) {
            lanes.ring(skipped);
        }
        return Pending.of(taken);
    }

    @Override
    public Pending<List<LaneRow>> lockReady(Collection<OrderKey> queues, int perPlace) {
        return Pending.of(unlocked(lanes.lockReady(queues, perPlace).get()));
    }

    @Override
    public List<LaneRow> lock(Collection<String> wanted) {
        return unlocked(lanes.lock(wanted));
    }

    @Override
    public void ring(Collection<HeadOfLane> arrivals) {
        lanes.ring(arrivals);
    }

    @Override
    public void unring(Collection<HeadOfLane> answered) {
        lanes.unring(answered);
    }

    @Override
    public void file(List<HeadOfLane> arrivals, Function<Lane, String> shares) {
        lanes.file(arrivals, shares);
    }

    @Override
    public Set<OrderKey> occupied(Collection<OrderKey> queues) {
        return lanes.occupied(queues);
    }

    @Override
    public List<LaneRow> lines(Collection<OrderKey> gates, int perPlace) {
        return lanes.lines(gates, perPlace);
    }

    @Override
    public void add(List<LaneRow> rows) {
        lanes.add(rows);
    }

    @Override
    public void save(List<LaneRow> rows) {
        lanes.save(rows);
    }

    @Override
    public void remove(List<String> gone) {
        lanes.remove(gone);
    }

    @Override
    public List<LaneRow> findAll(Collection<String> wanted) {
        return lanes.findAll(wanted);
    }

    @Override
    public int countBefore(OrderKey gate, long rank, int max) {
        return lanes.countBefore(gate, rank, max);
    }

    @Override
    public List<GateKey> orders() {
        return lanes.orders();
    }

    @Override
    public List<LaneRow> standing(GateKey order) {
        return lanes.standing(order);
    }

    @Override
    public Set<GateKey> withLine(Collection<GateKey> gates) {
        return lanes.withLine(gates);
    }

    @Override
    public List<LineCount> lineCounts() {
        return lanes.lineCounts();
    }
}
