package dev.headgate.internal.claim;

import dev.headgate.internal.admission.ClaimPlan;
import dev.headgate.internal.admission.ClaimPlan.Head;
import dev.headgate.internal.admission.ClaimPlan.Offer;
import dev.headgate.job.Lane;
import dev.headgate.spi.HeadRow;
import dev.headgate.spi.LaneRow;
import dev.headgate.spi.Pending;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Reads the first jobs of lanes and offers them to a plan. */
final class LaneHeads {
    private static final int HEADS_PER_LANE_MAX = 1000;

    private final TurnContext turn;
    private final ClaimPlan plan;
    private boolean isMore;

    LaneHeads(TurnContext turn, ClaimPlan plan) {
        this.turn = turn;
        this.plan = plan;
    }

    /**
     * Offers lanes. Jobs of fresh lanes are read only if the gates may let them pass: where most lanes are blocked, reading
     * would be most of the work.
     *
     * @param chosen lanes that were just woken from a line
     * @param fresh lanes that have no row yet, only a doorbell
     */
    void lanes(List<LaneRow> offered, Set<String> chosen, Predicate<LaneRow> fresh, int slots) {
        List<LaneRow> claimable = new ArrayList<>(offered);
        claimable.removeIf(lane -> fresh.test(lane) && plan.deny(rung(lane)));
        if (claimable.isEmpty()) {
            return;
        }
        // Where queues take turns, each is read as if it could get all slots.
        boolean isByQueue = turn.request().serving().isByQueue();
        Map<String, Integer> counts = turn.gates.sharing().forecast(claimable, slots, isByQueue);
        Map<Integer, List<String>> byCount = new TreeMap<>();
        counts.replaceAll((lane, count) -> Math.clamp(count, 1, HEADS_PER_LANE_MAX));
        counts.forEach((lane, count) ->
                byCount.computeIfAbsent(count, each -> new ArrayList<>()).add(lane));
        Map<String, List<HeadRow>> heads = new HashMap<>();
        byCount.forEach((count, lanes) -> {
            for (HeadRow row : turn.tx.jobs().heads(lanes, count)) {
                heads.computeIfAbsent(row.lane(), lane -> new ArrayList<>()).add(row);
            }
        });
        for (LaneRow lane : claimable) {
            List<HeadRow> found = heads.getOrDefault(lane.id(), List.of());
            List<Head> first = turn.parked.unpaused(found);
            if (first.isEmpty() && !found.isEmpty()) {
                isMore = true; // others may stand behind those that are parked; the lane stays as it is
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

    private static Offer rung(LaneRow lane) {
        Head head = new Head(0, lane.rank(), lane.cost());
        return new Offer(lane.id(), lane.lane().queue(), lane.gateKeys(), List.of(head), false, lane.passes());
    }

    /**
     * The first jobs of the default lanes of some queues.
     *
     * @param queues the default lane of each, and how many jobs were asked for. If fewer came, there are no more
     */
    record PlainHeads(Map<String, PlainLane> queues, Pending<List<HeadRow>> heads) {}

    record PlainLane(String lane, int most) {}

    /** Asks for the jobs of all default lanes at once. These lanes have no rows: their jobs are locked one by one. */
    static PlainHeads askPlainJobs(TurnContext turn, Map<String, Integer> room, int slots) {
        int sight = turn.request().fit().sight();
        Map<String, PlainLane> queues = new LinkedHashMap<>();
        Map<String, Integer> lanes = new LinkedHashMap<>();
        room.forEach((queue, free) -> {
            int limit = Math.min(free, turn.queues.ofEach(slots));
            if (limit > 0) {
                PlainLane plain = new PlainLane(Lane.plainId(queue), limit + sight);
                queues.put(queue, plain);
                lanes.put(plain.lane(), plain.most());
            }
        });
        return new PlainHeads(queues, turn.tx.jobs().plainHeads(lanes));
    }

    /** Offers the jobs of default lanes. Returns whether any queue may hold more. */
    boolean plainJobs(PlainHeads found) {
        Map<String, List<HeadRow>> byLane = new HashMap<>();
        for (HeadRow head : found.heads().get()) {
            byLane.computeIfAbsent(head.lane(), lane -> new ArrayList<>()).add(head);
        }
        boolean isPlainLeft = false;
        for (Map.Entry<String, PlainLane> queue : found.queues().entrySet()) {
            PlainLane plain = queue.getValue();
            List<HeadRow> heads = byLane.getOrDefault(plain.lane(), List.of());
            boolean isWhole = heads.size() < plain.most();
            isPlainLeft |= !isWhole;
            plan.offer(new Offer(plain.lane(), queue.getKey(), List.of(), turn.parked.unpaused(heads), isWhole, 0));
        }
        return isPlainLeft;
    }

    /** Whether a lane may hold more jobs behind those that are parked now. */
    boolean isMore() {
        return isMore;
    }
}
