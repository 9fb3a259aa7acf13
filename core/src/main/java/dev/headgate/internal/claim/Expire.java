package dev.headgate.internal.claim;

import dev.headgate.internal.dependency.Dependents;
import dev.headgate.internal.lane.Arrivals;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.JobTable.ExpiredRow;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Ends waiting jobs whose deadline has passed.
 *
 * <p>Design note: in a transaction of its own. A turn that ended them before it locked its gates would hold job rows while it
 * waits for a gate, and the transaction that holds this gate may wait for these rows. This transaction skips rows that are
 * locked and waits for no gate, so it is never part of a deadlock.
 */
final class Expire {
    private Expire() {}

    /** What one expiry did: whether there may be more to end, and which queues have changed. */
    record Expired(boolean isMore, Set<Wake> wakes) {}

    static Expired run(StoreTransaction tx) {
        long now = tx.now();
        List<Long> ended = new ArrayList<>();
        List<HeadOfLane> left = new ArrayList<>();
        Set<Wake> wakes = new HashSet<>();
        for (ExpiredRow row : tx.jobs().expire(now, Arrivals.BATCH_MAX)) {
            ended.add(row.job());
            if (!row.head().lane().isPlain()) {
                left.add(HeadOfLane.left(row.head().lane(), row.head().rank()));
                wakes.add(new Wake.Queue(row.head().lane().queue()));
            }
        }
        tx.lanes().ring(Arrivals.oldestPerLane(left));
        new Dependents(tx, wakes, now).ended(ended);
        return new Expired(ended.size() == Arrivals.BATCH_MAX, wakes);
    }
}
