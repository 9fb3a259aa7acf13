package dev.headgate.transition;

import dev.headgate.store.HeadOfLane;
import dev.headgate.store.JobTable.ExpiredRow;
import dev.headgate.store.StoreTransaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Brings arrivals into their lanes: rung doorbells, and jobs whose time has come. */
final class Filing {
    static final int BATCH_MAX = 1000;

    private Filing() {}

    /**
     * What a filing found.
     *
     * @param isMore whether more is waiting to be filed
     * @param expired jobs that ended because their deadline has passed
     * @param isLookDue whether somebody must look at jobs that wait for others
     * @param isWhole {@code nextDue} is what it was before, because nothing was due
     * @param nextDue when the next job is due by its own time, or must end by it
     */
    record Filed(
            boolean isMore,
            List<Long> expired,
            boolean isLookDue,
            boolean isWhole,
            @Nullable Long nextDue) {
        static final Filed NOTHING = new Filed(false, List.of(), false, false, null);
    }

    static Filed file(StoreTransaction tx, Sharing sharing, Collection<String> queues, long now) {
        List<HeadOfLane> arrivals = new ArrayList<>(tx.lanes().takeArrivals(queues, BATCH_MAX));
        boolean isMore = arrivals.size() == BATCH_MAX;
        List<Long> ended = new ArrayList<>();
        Long due = tx.jobs().nextDue(queues);
        if (due != null && due <= now) {
            List<HeadOfLane> promoted = tx.jobs().promoteDue(queues, now, BATCH_MAX);
            List<HeadOfLane> expired = new ArrayList<>();
            for (ExpiredRow row : tx.jobs().expire(now, BATCH_MAX)) {
                expired.add(row.head());
                ended.add(row.job());
            }
            isMore |= promoted.size() == BATCH_MAX || expired.size() == BATCH_MAX;
            promoted.stream().filter(head -> !head.lane().isPlain()).forEach(arrivals::add);
            arrivals.addAll(leaving(tx, queues, expired));
        }
        if (!arrivals.isEmpty()) {
            sharing.file(oldestPerLane(arrivals));
        }
        return new Filed(isMore, ended, due != null && due < 0, due == null || due > now, due);
    }

    /** A lane may wait with a head that has just gone. Lanes of other queues are left to those who serve them. */
    private static List<HeadOfLane> leaving(StoreTransaction tx, Collection<String> queues, List<HeadOfLane> gone) {
        List<HeadOfLane> gated =
                gone.stream().filter(head -> !head.lane().isPlain()).toList();
        List<HeadOfLane> elsewhere = gated.stream()
                .filter(head -> !queues.contains(head.lane().queue()))
                .toList();
        if (!elsewhere.isEmpty()) {
            tx.lanes().ring(oldestPerLane(elsewhere));
        }
        return gated.stream()
                .filter(head -> queues.contains(head.lane().queue()))
                .toList();
    }

    /** One entry per lane, its oldest head, in lane order: rows are always locked in the same order. */
    static List<HeadOfLane> oldestPerLane(Collection<HeadOfLane> arrivals) {
        Map<String, HeadOfLane> oldest = new TreeMap<>();
        for (HeadOfLane arrival : arrivals) {
            oldest.merge(
                    arrival.laneId(),
                    arrival,
                    java.util.function.BinaryOperator.minBy(Comparator.comparingLong(HeadOfLane::rank)));
        }
        return List.copyOf(oldest.values());
    }
}
