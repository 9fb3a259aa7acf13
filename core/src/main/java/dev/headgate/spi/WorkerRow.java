package dev.headgate.spi;

import java.util.List;

/**
 * One worker: alive until its lease ends.
 *
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
}
