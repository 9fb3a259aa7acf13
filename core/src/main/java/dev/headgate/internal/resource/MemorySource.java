package dev.headgate.internal.resource;

import org.jspecify.annotations.Nullable;

/**
 * Memory for jobs: the heap, as far as the container lets it grow.
 *
 * <p>Design note. What the heap has committed belongs to this process already, so a job that fits into it costs the
 * container nothing. Beyond that the heap can grow by what the container has left, or until its own maximum.
 */
public final class MemorySource implements ResourceSource {
    private final Heap heap;
    private final Container container;

    public MemorySource(Heap heap, Container container) {
        this.heap = heap;
        this.container = container;
    }

    @Override
    public Reading read() {
        Container.Memory outside = container.memory();
        return new Reading(
                ever(heap.max(), outside), ceiling(heap.max(), heap.committed(), outside), heap.live(), true);
    }

    static long ceiling(long max, long committed, Container.@Nullable Memory outside) {
        return outside == null ? max : Math.min(max, committed + Math.max(0, outside.limit() - outside.used()));
    }

    /** The capacity if nothing else were in the container. */
    private static long ever(long max, Container.@Nullable Memory outside) {
        return outside == null ? max : Math.min(max, outside.limit());
    }
}
