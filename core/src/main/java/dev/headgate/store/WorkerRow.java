package dev.headgate.store;

import java.util.List;

/** One worker: alive until its lease ends. */
public record WorkerRow(
        String id, String name, List<String> queues, int slots, long startedAt, long leaseUntil, List<Long> holding) {}
