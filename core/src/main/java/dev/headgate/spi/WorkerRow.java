package dev.headgate.spi;

import dev.headgate.internal.text.Served;
import java.util.List;

/**
 * One worker: alive until its lease ends.
 *
 * @param queues names and patterns
 * @param slots how many jobs it runs at once at most, as it last said
 * @param room what it can take and has left, as {@code Capacity.text}; empty if it did not say
 * @param lostMax how many workers a job that it runs may lose before the job fails
 */
public record WorkerRow(
        String id,
        String name,
        List<String> queues,
        int slots,
        long startedAt,
        long leaseUntil,
        List<Long> holding,
        String room,
        int lostMax) {
    /** The default of {@link #lostMax}. */
    public static final int LOST_MAX = 3;

    public WorkerRow(
            String id,
            String name,
            List<String> queues,
            int slots,
            long startedAt,
            long leaseUntil,
            List<Long> holding) {
        this(id, name, queues, slots, startedAt, leaseUntil, holding, "", LOST_MAX);
    }

    /** Whether its lease has not ended by then, and it serves the queue. */
    public boolean isServing(String queue, long now) {
        return leaseUntil > now && Served.covers(queues, queue);
    }
}
