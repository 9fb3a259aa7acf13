package dev.headgate.transition;

import dev.headgate.admission.ClaimPlan;
import dev.headgate.admission.ClaimPlan.Head;
import dev.headgate.admission.ClaimPlan.Offer;
import dev.headgate.job.Lane;
import dev.headgate.store.HeadRow;
import dev.headgate.store.LaneRow;
import dev.headgate.store.StoreTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Reads the first jobs of lanes and offers them to a plan. */
final class Offering {
    private static final int HEADS_PER_LANE_MAX = 1000;

    private final StoreTransaction tx;
    private final Sharing sharing;
    private final SetAside aside;
    private final ClaimPlan plan;
    private final boolean isByQueue;
    private final int sight;
    private boolean isMore;

    /** For the plan of a turn, which says how its queues are served and what the worker may have to pass over. */
    Offering(StoreTransaction tx, Sharing sharing, SetAside aside, ClaimPlan plan, TurnRequest request) {
        this.tx = tx;
        this.sharing = sharing;
        this.aside = aside;
        this.plan = plan;
        this.isByQueue = request.serving().isByQueue(); // queues have turns: each is read as if it could get all slots
        this.sight = request.fit().sight();
    }

    /** @param chosen lanes that were just woken from a line */
    void lanes(List<LaneRow> claimable, Set<String> chosen, int slots) {
        if (claimable.isEmpty()) {
            return;
        }
        Map<String, Integer> counts = sharing.forecast(claimable, slots, isByQueue);
        Map<Integer, List<String>> byCount = new TreeMap<>();
        counts.replaceAll((lane, count) -> Math.clamp(count, 1, HEADS_PER_LANE_MAX));
        counts.forEach((lane, count) ->
                byCount.computeIfAbsent(count, each -> new ArrayList<>()).add(lane));
        Map<String, List<HeadRow>> heads = new HashMap<>();
        byCount.forEach((count, lanes) -> {
            for (HeadRow row : tx.jobs().heads(lanes, count)) {
                heads.computeIfAbsent(row.lane(), lane -> new ArrayList<>()).add(row);
            }
        });
        for (LaneRow lane : claimable) {
            List<HeadRow> found = heads.getOrDefault(lane.id(), List.of());
            List<Head> first = aside.unpaused(found);
            if (first.isEmpty() && !found.isEmpty()) {
                isMore = true; // others may stand behind those that are set aside; the lane stays as it is
                continue;
            }
            plan.offer(new Offer(
                    lane.id(),
                    lane.lane().queue(),
                    lane.gateKeys(),
                    first,
                    found.size() < counts.getOrDefault(lane.id(), 1)
                            || !found.getFirst().isMore(),
                    lane.passes(),
                    chosen.contains(lane.id()) ? lane.waitingAt() : null));
        }
    }

    /** Default lanes have no row: their jobs are locked one by one. Answers how many queues may hold more. */
    int plainJobs(Map<String, Integer> room) {
        int queuesWithMore = 0;
        for (Map.Entry<String, Integer> queue : room.entrySet()) {
            String lane = new Lane(queue.getKey(), List.of()).id();
            int limit = Math.min(queue.getValue(), plan.slotsLeft());
            if (limit < 1) {
                continue;
            }
            limit += sight;
            List<HeadRow> heads = tx.jobs().plainHeads(lane, limit);
            queuesWithMore += heads.size() == limit ? 1 : 0;
            plan.offer(new Offer(lane, queue.getKey(), List.of(), aside.unpaused(heads), heads.size() < limit, 0));
        }
        return queuesWithMore;
    }

    /** Whether lanes were passed by that may hold more behind what was set aside. */
    boolean isMore() {
        return isMore;
    }
}
