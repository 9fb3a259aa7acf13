package dev.headgate.internal.operate;

import dev.headgate.internal.lane.Arrivals;
import dev.headgate.job.ParkReason;
import dev.headgate.spi.Backend;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.Wake;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Revives jobs that were parked because their handler was missing. */
public final class ReviveParked {
    private ReviveParked() {}

    /** Works in short batches; returns how many jobs. */
    public static int run(Backend backend, Collection<String> handlers) {
        if (handlers.isEmpty() || !backend.read(tx -> tx.jobs().isAnyParked(ParkReason.UNKNOWN_HANDLER, handlers))) {
            return 0;
        }
        int all = 0;
        List<HeadOfLane> revived;
        do {
            revived = backend.write(tx -> {
                List<HeadOfLane> heads =
                        tx.jobs().unpark(ParkReason.UNKNOWN_HANDLER, handlers, tx.now(), Arrivals.BATCH_MAX);
                tx.lanes()
                        .ring(Arrivals.oldestPerLane(heads.stream()
                                .filter(head -> !head.lane().isPlain())
                                .toList()));
                return heads;
            });
            all += revived.size();
            Set<Wake> wakes = new HashSet<>();
            revived.forEach(head -> wakes.add(new Wake.Queue(head.lane().queue())));
            if (!wakes.isEmpty()) {
                backend.publish(wakes);
            }
        } while (revived.size() == Arrivals.BATCH_MAX);
        return all;
    }
}
