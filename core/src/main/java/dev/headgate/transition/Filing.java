package dev.headgate.transition;

import dev.headgate.store.HeadOfLane;
import dev.headgate.store.StoreTransaction;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Brings arrivals into their lanes: rung doorbells, and jobs whose time has come. */
final class Filing {
    static final int BATCH_MAX = 1000;

    private Filing() {}

    /** Answers whether more is waiting to be filed. */
    static boolean file(StoreTransaction tx, Sharing sharing, Collection<String> queues, long now) {
        List<HeadOfLane> arrivals = new ArrayList<>(tx.lanes().takeArrivals(queues, BATCH_MAX));
        boolean isMore = arrivals.size() == BATCH_MAX;
        Long due = tx.jobs().nextDue(queues);
        if (due != null && due <= now) {
            List<HeadOfLane> promoted = tx.jobs().promoteDue(queues, now, BATCH_MAX);
            List<HeadOfLane> expired = tx.jobs().expire(now, BATCH_MAX);
            isMore |= promoted.size() == BATCH_MAX || expired.size() == BATCH_MAX;
            promoted.stream().filter(head -> !head.lane().isPlain()).forEach(arrivals::add);
            arrivals.addAll(leaving(tx, queues, expired));
        }
        if (!arrivals.isEmpty()) {
            sharing.file(oldestPerLane(arrivals));
        }
        return isMore;
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
