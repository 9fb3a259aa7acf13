package dev.headgate.internal.claim;

import dev.headgate.internal.admission.ClaimPlan;
import dev.headgate.internal.admission.ClaimPlan.Fate;
import dev.headgate.internal.admission.ClaimPlan.Unfit;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.spi.LaneRow;
import dev.headgate.spi.Wake;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a solved plan leaves in the queues of the worker: for its next turn, or for other workers. */
final class RemainingWork {
    private final ClaimPlan plan;
    private final LockedLanes lanes;
    private final TurnRequest request;
    private final QueuesOfTurn queues;
    private final boolean isFull;
    private final Set<String> unfitLanes = new HashSet<>();

    RemainingWork(TurnContext turn, PlanPhase planned) {
        this.plan = planned.plan();
        this.lanes = turn.lanes;
        this.request = turn.request();
        this.queues = turn.queues;
        this.isFull = planned.isPlainLeft() || lanes.all().size() >= turn.lanesMax();
        plan.unfit().forEach(unfit -> unfitLanes.add(unfit.lane()));
    }

    /**
     * Whether another turn could claim more at once. Only after progress: a turn that moved nothing would find the same
     * again. A job that did not fit the worker does not fit a moment later; {@link #passed} says what may stand behind it.
     */
    boolean isClaimable() {
        boolean hasMoved = !plan.grants().isEmpty() || !plan.impossibleJobs().isEmpty();
        boolean isReadyLeft = false;
        for (LaneRow lane : lanes.all()) {
            Fate fate = plan.fates().get(lane.id());
            boolean isPassedOver = lanes.isPassedOver(lane);
            boolean isOnlyWoken =
                    fate == null && !isPassedOver && queues.covers(lane.lane().queue());
            hasMoved |= fate instanceof Fate.Waiting || fate instanceof Fate.Empty || isOnlyWoken;
            isReadyLeft |= isOnlyWoken
                    || isPassedOver
                    || (fate instanceof Fate.Ready
                            && !unfitLanes.contains(lane.id())
                            && !plan.shutQueues().containsKey(lane.lane().queue()));
        }
        return hasMoved && (isReadyLeft || plan.hasUnseen() || (unfitLanes.isEmpty() && isFull));
    }

    /** How many ready or new lanes joined a line. Each is judged once, so this comes to an end. */
    int denied() {
        int denied = 0;
        for (Map.Entry<String, Fate> fate : plan.fates().entrySet()) {
            boolean isNew = !lanes.pulled().contains(fate.getKey());
            denied += isNew && fate.getValue() instanceof Fate.Waiting ? 1 : 0;
        }
        return denied;
    }

    /** Wakes for queues with a job that does not fit here and was not skipped before: other workers may have room for it. */
    Set<Wake> toOthers() {
        Set<Wake> wakes = new HashSet<>();
        for (Unfit unfit : plan.unfit()) {
            if (!request.fit().hasPassed(unfit.head().job())) {
                wakes.add(new Wake.Queue(unfit.queue()));
            }
        }
        return wakes;
    }

    /** The jobs that the worker had no room for. If all slots are full, what stands behind them does not matter. */
    Turn.Passed passed() {
        return unfitLanes.isEmpty()
                ? Turn.Passed.NONE
                : new Turn.Passed(List.copyOf(plan.unfit()), plan.slotsLeft() > 0 && isFull);
    }
}
