package dev.headgate.internal.claim;

import dev.headgate.internal.admission.ClaimPlan;
import dev.headgate.internal.admission.ClaimPlan.Grant;
import dev.headgate.internal.admission.ClaimPlan.Head;
import dev.headgate.internal.admission.ClaimPlan.Offer;
import dev.headgate.internal.claim.LaneHeads.PlainHeads;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.job.Lane;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.JobTable.LeaseRef;
import dev.headgate.spi.LaneRow;
import dev.headgate.spi.ReleasedRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Offers all that may start to one {@link ClaimPlan}: jobs that start again at once, lanes, and jobs without gates. */
final class PlanPhase {
    private final TurnContext turn;
    private final ClaimPlan plan;
    private final Map<Long, List<LeaseRef>> again = new TreeMap<>();
    private final Map<Long, List<Long>> granted = new TreeMap<>();
    private boolean isPlainLeft;

    PlanPhase(TurnContext turn, long now) {
        TurnRequest request = turn.request();
        this.turn = turn;
        this.plan = new ClaimPlan(
                now,
                request.slots(),
                turn.gates.byKey(),
                turn.queues.turns(),
                request.fit().trial());
    }

    void run(LockPhase locked, EndedLeases ended, Set<String> unpaused) {
        TurnRequest request = turn.request();
        LockedLanes lanes = turn.lanes;
        // Where queues take turns, all lanes are judged at once: a queue with lanes that were not judged keeps its
        // turn.
        int perQueue = request.serving().isByQueue() ? Integer.MAX_VALUE : turn.lanesMax();
        List<LaneRow> claimable = turn.hasSlots() ? lanes.claimable(unpaused, perQueue) : List.of();
        lanes.unread().forEach(plan::hasMore);
        restart(ended);
        LaneHeads offering = new LaneHeads(turn, plan);
        offering.lanes(claimable, lanes.pulled(), lanes::isFresh, request.slots());
        PlainHeads plain = locked.plainHeads();
        isPlainLeft = offering.plainJobs(
                plain == null ? LaneHeads.askPlainJobs(turn, locked.room(), plan.slotsLeft()) : plain);
        plan.solve();
        if (plan.slotsLeft() > 0) {
            // A denial needs no slot, and the gates of these lanes are locked anyway.
            offering.lanes(lanes.takePassedOver(), Set.of(), lanes::isFresh, plan.slotsLeft());
            plan.solve();
        }
        turn.more.addIf(offering.isMore(), MoreWork.Reason.ONLY_PARKED_READ);
        for (Grant grant : plan.grants()) {
            granted.computeIfAbsent(grant.margin(), margin -> new ArrayList<>()).add(grant.job());
        }
    }

    private void restart(EndedLeases ended) {
        for (ReleasedRow row : ended.restarting()) {
            Lane lane = row.lane();
            Head head = new Head(row.job(), row.rank(), row.cost(), ended.typeOf(row));
            boolean isPaused = !turn.isUnpaused(lane.queue()) || turn.book.isTypePaused(head.type());
            Offer offer = new Offer(lane.id(), lane.queue(), GateKey.gatesOf(lane), List.of(head), false, 0);
            Grant grant = isPaused ? null : plan.restart(offer);
            if (grant != null) {
                again.computeIfAbsent(grant.margin(), margin -> new ArrayList<>())
                        .add(ended.refOf(row));
            } else {
                ended.denyRestart(row);
            }
        }
    }

    ClaimPlan plan() {
        return plan;
    }

    /** The leases that start again at once, by margin. */
    Map<Long, List<LeaseRef>> again() {
        return again;
    }

    /** The jobs that start, by margin and in the order of the plan. */
    Map<Long, List<Long>> granted() {
        return granted;
    }

    /** Whether more jobs without gates may wait than were read. */
    boolean isPlainLeft() {
        return isPlainLeft;
    }
}
