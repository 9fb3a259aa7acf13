package dev.headgate.spi;

import dev.headgate.job.Lane;
import dev.headgate.limit.GateKey;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Waiting jobs of keys whose backlog is capped. Each job carries the keys it counts for, so the count is a count of rows:
 * whatever way a job leaves or comes back, it needs no bookkeeping.
 */
public interface BacklogTable {
    /** The caps that the jobs of a lane count for: of their queue, of one of their gates, of both or of none. */
    record Caps(boolean isQueue, @Nullable String gate) {
        public static final Caps NONE = new Caps(false, null);
    }

    /** No other transaction counts or adds for these keys until this one ends. Claims do not wait for it. */
    void lock(SortedSet<GateKey> keys);

    /** How many jobs wait, due or not, counted up to {@code max}. */
    int count(GateKey key, int max);

    /** The waiting jobs that were enqueued first, locked; those that a claim is taking are left out. */
    List<JobRow> oldest(GateKey key, int limit);

    /** The lanes of all live jobs. */
    List<Lane> lanes();

    /** From now on the live jobs of these lanes count for these caps only. */
    void mark(Map<Lane, Caps> caps);

    /** From now on these live jobs count for these caps only. */
    void mark(Collection<Long> jobs, Caps caps);
}
