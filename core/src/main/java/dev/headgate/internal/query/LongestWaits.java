package dev.headgate.internal.query;

import dev.headgate.internal.lane.LockedShares;
import dev.headgate.job.JobState;
import dev.headgate.job.Lane;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.HeadRow;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.LaneRow;
import dev.headgate.spi.LaneTable.LineCount;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.status.LongWait;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The jobs that have waited longest, read through indexes and without a lock.
 *
 * <p>Design note. No index has all waiting jobs in the order of their times, and none is worth its writes for this. But in each
 * lane the first job is the one to start next, so the longest waits stand at the heads of lanes: of the plain lane of each
 * queue, of lanes that are ready or have just come, and of the lanes that come first in the longest lines. The cost is bounded
 * by the bounds below, however many jobs wait.
 */
final class LongestWaits {
    private static final int QUEUES_MAX = 1_000;
    private static final int GATES_MAX = 256;
    private static final int LANES_EACH = 4;
    private static final int HEADS_MAX = 4_000;

    /** Whole rows that are read for each that is wanted: they have payloads. */
    private static final int ROWS_EACH = 4;

    private LongestWaits() {}

    static List<LongWait> read(StoreTransaction tx, Collection<String> queues, int max) {
        List<String> looked = queues.stream().distinct().limit(QUEUES_MAX).toList();
        Map<String, Lane> lanes = new TreeMap<>();
        Map<String, GateKey> inLine = new HashMap<>();
        if (!looked.isEmpty()) {
            looked.stream().map(queue -> new Lane(queue, List.of())).forEach(lane -> lanes.put(lane.id(), lane));
            tx.demand().ready(looked, LANES_EACH).forEach(lane -> lanes.put(lane.id(), lane.lane()));
            tx.demand().arriving(looked, LANES_EACH).forEach(head -> lanes.put(head.laneId(), head.lane()));
        }
        for (LaneRow lane : lines(tx)) {
            if (looked.contains(lane.lane().queue())) {
                lanes.put(lane.id(), lane.lane());
                inLine.put(lane.id(), lane.order());
            }
        }
        if (lanes.isEmpty()) {
            return List.of();
        }
        int perLane = Math.clamp(HEADS_MAX / lanes.size(), 1, max);
        Map<Long, String> oldest = new TreeMap<>();
        for (HeadRow head : tx.demand().heads(lanes.keySet(), perLane)) {
            oldest.put(head.job(), head.lane());
        }
        List<Long> ids = oldest.keySet().stream().limit((long) ROWS_EACH * max).toList();
        return tx.jobs().findAll(ids).stream()
                .filter(row -> row.state() == JobState.QUEUED)
                .sorted(Comparator.comparingLong((JobRow row) -> row.place().runAt())
                        .thenComparingLong(JobRow::id))
                .limit(max)
                .map(row -> new LongWait(JobStatuses.status(row), inLine.get(oldest.get(row.id()))))
                .toList();
    }

    private static List<LaneRow> lines(StoreTransaction tx) {
        List<GateKey> longest = tx.lanes().lineCounts().stream()
                .sorted(Comparator.comparingLong(LineCount::lanes).reversed())
                .limit(GATES_MAX)
                .map(LineCount::gate)
                .toList();
        return longest.isEmpty() ? List.of() : new LockedShares(tx, tx.policies(), Map.of()).lines(longest, LANES_EACH);
    }
}
