package dev.headgate.internal.query;

import dev.headgate.internal.time.Micros;
import dev.headgate.job.Lane;
import dev.headgate.limit.GateKey;
import dev.headgate.spi.DemandTable.Kept;
import dev.headgate.spi.DemandTable.OldestRow;
import dev.headgate.spi.HeadRow;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.LaneRow;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.status.Totals;
import dev.headgate.status.Totals.Counted;
import dev.headgate.status.Totals.Oldest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Reads what a store keeps, and how long its queues have waited. */
final class ReadTotals {
    private static final int LANES_MAX = 64;

    private ReadTotals() {}

    static Totals run(StoreTransaction tx, int max) {
        Kept kept = tx.demand().kept(max);
        return new Totals(
                new Counted(kept.runs(), kept.runs() >= max),
                new Counted(kept.results(), kept.ended() >= max),
                new Counted(kept.artifacts(), kept.artifacts() >= max),
                oldest(tx, max));
    }

    private static List<Oldest> oldest(StoreTransaction tx, int look) {
        List<OldestRow> rows = tx.demand().oldest(look);
        boolean isAll = rows.stream().mapToLong(OldestRow::jobs).sum() < look;
        Map<String, Long> since = new TreeMap<>();
        for (OldestRow row : rows) {
            if (row.since() != null) {
                since.put(row.queue(), row.since());
            }
        }
        if (!isAll) {
            younger(tx, since);
        }
        return since.entrySet().stream()
                .map(queue -> new Oldest(queue.getKey(), Micros.instant(queue.getValue()), !isAll))
                .toList();
    }

    /** Queues with a worker or limits whose jobs all have higher numbers: the first of their lanes. */
    private static void younger(StoreTransaction tx, Map<String, Long> since) {
        TreeSet<String> queues = new TreeSet<>();
        tx.workers().list().forEach(worker -> queues.addAll(worker.queues()));
        tx.policies().entries().keySet().forEach(key -> {
            if (key.scope() == GateKey.Scope.QUEUE) {
                queues.add(key.name());
            }
        });
        queues.removeAll(since.keySet());
        List<String> lanes = new ArrayList<>();
        queues.forEach(queue -> lanes.add(new Lane(queue, List.of()).id()));
        for (LaneRow lane : queues.isEmpty() ? List.<LaneRow>of() : tx.demand().ready(queues, LANES_MAX)) {
            lanes.add(lane.id());
        }
        List<Long> heads = lanes.isEmpty()
                ? List.of()
                : tx.demand().heads(lanes, 1).stream().map(HeadRow::job).toList();
        for (JobRow job : heads.isEmpty() ? List.<JobRow>of() : tx.jobs().findAll(heads)) {
            since.merge(job.spec().lane().queue(), job.place().runAt(), Math::min);
        }
    }
}
