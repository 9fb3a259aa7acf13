package dev.headgate.internal.claim;

import dev.headgate.internal.lane.Arrivals;
import dev.headgate.internal.lane.NextDue;
import dev.headgate.internal.text.Served;
import dev.headgate.internal.time.Micros;
import dev.headgate.spi.Backend;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Puts due jobs into their lanes for a worker without a free slot, because such a worker takes no turn. If a due job came into
 * its lane only when a slot is free, it would stand behind all jobs that came in between.
 */
public final class DueJobs {
    private DueJobs() {}

    /** Returns the time until the next job of these queues is due: zero if more are due now, absent if none is scheduled. */
    public static @Nullable Duration file(Backend backend, Collection<String> queues) {
        Duration left = backend.read(tx -> left(tx, queues));
        if (left == null || !left.isZero()) {
            return left;
        }
        Set<Wake> wakes = new HashSet<>();
        boolean isMore = backend.write(tx -> {
            wakes.clear();
            long now = tx.now();
            Served served = Served.of(queues);
            List<HeadOfLane> due = tx.jobs()
                    .promoteDue(QueuesOfTurn.withDue(tx, served, served.names(), now), now, Arrivals.BATCH_MAX);
            List<HeadOfLane> gated =
                    due.stream().filter(head -> !head.lane().isPlain()).toList();
            if (!gated.isEmpty()) {
                tx.lanes().ring(Arrivals.oldestPerLane(gated));
            }
            due.forEach(head -> wakes.add(new Wake.Queue(head.lane().queue())));
            return due.size() == Arrivals.BATCH_MAX;
        });
        if (!wakes.isEmpty()) {
            backend.publish(wakes); // a worker elsewhere may have a slot
        }
        return isMore ? Duration.ZERO : backend.read(tx -> left(tx, queues));
    }

    private static @Nullable Duration left(StoreTransaction tx, Collection<String> queues) {
        Long due = NextDue.of(tx, queues).get().orElse(null);
        return due == null ? null : Micros.duration(Math.max(0, due - tx.now()));
    }
}
