package dev.headgate.internal.lane;

import dev.headgate.internal.text.Served;
import dev.headgate.spi.StoreTransaction;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The queues that were named, and of those that patterns cover the first ones in which something waits, for reads that only count.
 *
 * @param isCut more queues may have work
 */
public record WaitingQueues(Collection<String> queues, boolean isCut) {
    private static final int FOUND_MAX = 256;

    /** Finds them.
     *
     * @param entries names and patterns
     */
    public static WaitingQueues of(StoreTransaction tx, Collection<String> entries) {
        Served served = Served.of(entries);
        if (!served.hasPatterns()) {
            return new WaitingQueues(entries, false);
        }
        long now = tx.now();
        boolean isCut = false;
        Set<String> found = new LinkedHashSet<>(served.names());
        for (String prefix : served.prefixes()) {
            for (List<String> some : List.of(
                    tx.demand().queuesWithWork(prefix, "", FOUND_MAX),
                    tx.demand().queuesWithDue(prefix, now, FOUND_MAX))) {
                isCut |= some.size() == FOUND_MAX;
                found.addAll(some);
            }
        }
        return new WaitingQueues(found, isCut);
    }
}
