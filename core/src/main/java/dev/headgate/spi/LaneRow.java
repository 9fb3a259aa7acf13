package dev.headgate.spi;

import dev.headgate.job.Cost;
import dev.headgate.job.Lane;
import dev.headgate.limit.GateKey;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A lane as stored.
 *
 * @param rank of its head, as last seen
 * @param waitingAt the gate in whose line it stands, if WAITING
 * @param since when it got into this state
 * @param passes how often it was turned away since its last start
 * @param share its share of the queue or gate in whose order it stands; empty if that is not shared
 */
public record LaneRow(
        String id,
        Lane lane,
        LaneState state,
        long rank,
        Cost cost,
        @Nullable GateKey waitingAt,
        long since,
        int passes,
        String share) {

    public List<GateKey> gateKeys() {
        return GateKey.gatesOf(lane);
    }

    public LaneRow ready(long newRank, Cost newCost, long now) {
        return new LaneRow(id, lane, LaneState.READY, newRank, newCost, null, now, passes, "");
    }

    /** Ready with the head that a doorbell tells of. What the doorbell says of passes was given back, or counted elsewhere. */
    public LaneRow ready(HeadOfLane head, long now) {
        return ready(head.rank(), head.cost(), now).withPasses(Math.max(passes, head.passes()));
    }

    public LaneRow waiting(GateKey at, long newRank, Cost newCost, int newPasses, long now) {
        return new LaneRow(id, lane, LaneState.WAITING, newRank, newCost, at, now, newPasses, "");
    }

    public LaneRow withPasses(int newPasses) {
        return new LaneRow(id, lane, state, rank, cost, waitingAt, since, newPasses, share);
    }

    public LaneRow sharing(String newShare) {
        return new LaneRow(id, lane, state, rank, cost, waitingAt, since, passes, newShare);
    }

    /** In whose order it stands: its queue's if READY, the gate's if WAITING. */
    public GateKey order() {
        return switch (state) {
            case READY -> GateKey.queue(lane.queue());
            case WAITING -> Objects.requireNonNull(waitingAt);
        };
    }
}
