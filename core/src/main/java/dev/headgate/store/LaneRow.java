package dev.headgate.store;

import dev.headgate.admission.GateKey;
import dev.headgate.admission.GateLedger.Waiter;
import dev.headgate.job.Cost;
import dev.headgate.job.Lane;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A lane as stored.
 *
 * @param rank of its head, as last seen
 * @param waitingAt the gate in whose line it stands, if WAITING
 * @param since when it got into this state
 * @param passes how often it was turned away since its last start
 */
public record LaneRow(
        String id,
        Lane lane,
        LaneState state,
        long rank,
        Cost cost,
        @Nullable GateKey waitingAt,
        long since,
        int passes) {

    public List<GateKey> gateKeys() {
        return lane.gates().stream().map(GateKey::gate).toList();
    }

    /** Its head as one gate sees it. */
    public Waiter waiter(GateKey gate) {
        return new Waiter(id, rank, gate.unitsOf(cost));
    }

    public LaneRow ready(long newRank, Cost newCost, long now) {
        return new LaneRow(id, lane, LaneState.READY, newRank, newCost, null, now, passes);
    }

    public LaneRow waiting(GateKey at, long newRank, Cost newCost, int newPasses, long now) {
        return new LaneRow(id, lane, LaneState.WAITING, newRank, newCost, at, now, newPasses);
    }

    public LaneRow empty(long now) {
        return new LaneRow(id, lane, LaneState.EMPTY, rank, cost, null, now, 0);
    }

    public LaneRow withPasses(int newPasses) {
        return new LaneRow(id, lane, state, rank, cost, waitingAt, since, newPasses);
    }
}
