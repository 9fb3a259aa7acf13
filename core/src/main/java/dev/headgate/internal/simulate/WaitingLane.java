package dev.headgate.internal.simulate;

import dev.headgate.internal.admission.ClaimPlan.Head;
import dev.headgate.internal.admission.ClaimPlan.Offer;
import dev.headgate.internal.admission.Waiter;
import dev.headgate.job.Lane;
import dev.headgate.limit.GateKey;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The waiting jobs of one lane. */
final class WaitingLane {
    private static final Comparator<SimulatedJob> BY_RANK =
            Comparator.comparingLong(SimulatedJob::rank).thenComparingLong(SimulatedJob::id);

    final Lane lane;
    final String id;
    final List<GateKey> gates;
    final TreeSet<SimulatedJob> jobs = new TreeSet<>(BY_RANK);
    int passes;

    /** In whose line it stands, as {@link #lineRank} says where. */
    @Nullable
    GateKey waitingAt;

    /** The rank of its head when it was last put in order; an order must not change under a set. */
    long lineRank;

    WaitingLane(Lane lane) {
        this.lane = lane;
        this.id = lane.id();
        this.gates = GateKey.gatesOf(lane);
    }

    /** Its first jobs, as a claim would be offered them. */
    Offer offer(int perLane) {
        List<Head> heads = jobs.stream()
                .limit(perLane)
                .map(job -> new Head(job.id(), job.rank(), job.cost()))
                .toList();
        return new Offer(id, lane.queue(), gates, heads, heads.size() < perLane, passes);
    }

    Waiter waiter(GateKey gate) {
        SimulatedJob head = jobs.first();
        return new Waiter(id, head.rank(), gate.unitsOf(head.cost()));
    }
}
