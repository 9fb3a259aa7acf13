package dev.headgate.store;

import java.util.List;

/**
 * One worker: alive until its lease ends.
 *
 * @param room what it can take and has left, as {@code Capacity.text}; empty if it did not say
 */
public record WorkerRow(
        String id,
        String name,
        List<String> queues,
        int slots,
        long startedAt,
        long leaseUntil,
        List<Long> holding,
        String room) {
    public WorkerRow(
            String id,
            String name,
            List<String> queues,
            int slots,
            long startedAt,
            long leaseUntil,
            List<Long> holding) {
        this(id, name, queues, slots, startedAt, leaseUntil, holding, "");
    }
}
