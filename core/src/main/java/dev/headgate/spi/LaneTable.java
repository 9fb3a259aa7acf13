package dev.headgate.spi;

import dev.headgate.job.Lane;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.ShareRow.OrderKey;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Lanes that have gates and wait, and the doorbells through which jobs come into them. */
public interface LaneTable {
    /** Appends one doorbell per lane. Touches no shared row, so it never waits and makes no other transaction wait. */
    void ring(Collection<HeadOfLane> arrivals);

    /**
     * Takes doorbells of these queues that are visible and that no other transaction is taking, the most urgent first.
     *
     * @param enough where so many lanes of a queue are ready, those that come behind them are left for later; 0 leaves none
     */
    Pending<List<HeadOfLane>> takeArrivals(Collection<String> queues, int limit, int enough);

    /** Takes away the doorbells of jobs that need none any more: they have started, or their lane stands with them. */
    void unring(Collection<HeadOfLane> answered);

    /**
     * Creates lanes that are new, and makes READY those that something happened to at or before the rank of the head they
     * wait with: an older or more urgent job came, or that head went. Waits for claims that hold one of the lanes, so no
     * arrival is lost. {@code shares} tells the share of a lane in its queue.
     */
    void file(List<HeadOfLane> arrivals, Function<Lane, String> shares);

    /** The first ready lanes of each of these places that no other claim holds, locked, oldest head first. */
    Pending<List<LaneRow>> lockReady(Collection<OrderKey> queues, int perPlace);

    /** Those of these places in queues at which a ready lane stands, also one that another transaction has locked. */
    Set<OrderKey> occupied(Collection<OrderKey> queues);

    /** The first lanes in line at each place, oldest head first. The caller holds the gates' locks, or only wants a hint. */
    List<LaneRow> lines(Collection<OrderKey> gates, int perPlace);

    /** Locks those of these lanes that no other transaction has locked and returns them as they are now. */
    List<LaneRow> lock(Collection<String> lanes);

    /** Creates rows. The caller holds all gates of each lane; one that is there all the same stays as it is. */
    void add(List<LaneRow> lanes);

    void save(List<LaneRow> lanes);

    void remove(List<String> lanes);

    /** Those of these lanes that have a row. */
    List<LaneRow> findAll(Collection<String> lanes);

    default @Nullable LaneRow find(String lane) {
        List<LaneRow> found = findAll(List.of(lane));
        return found.isEmpty() ? null : found.getFirst();
    }

    /** How many lanes stand in line at a gate under this share before this rank, counted up to {@code max}. */
    int countBefore(OrderKey gate, long rank, int max);

    /** The queues and gates in whose order any lane stands. */
    List<GateKey> orders();

    /** All lanes in the order of this queue or gate. */
    List<LaneRow> standing(GateKey order);

    /** Those of these gates at which a lane stands in line. */
    Set<GateKey> withLine(Collection<GateKey> gates);

    /** How many lanes wait at each gate. */
    List<LineCount> lineCounts();

    /** Lanes in line at one gate. */
    record LineCount(GateKey gate, long lanes) {}
}
