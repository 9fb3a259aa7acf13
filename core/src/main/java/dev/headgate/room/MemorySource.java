package dev.headgate.room;

import org.jspecify.annotations.Nullable;

/**
 * Memory for jobs: the heap, as far as the container lets it grow.
 *
 * <p>Design note. What the heap has committed belongs to this process already, so a job that fits into it costs the
 * container nothing. Beyond that the heap can grow by what the container has left, or until its own maximum.
 */
final class MemorySource implements Source {
    private final Heap heap;
    private final Container container;
    private final long most;
    private final @Nullable Long margin;

    /**
     * @param most jobs get no more than this; absent means what there is
     * @param margin kept free for everything else; absent means an eighth
     */
    MemorySource(Heap heap, Container container, @Nullable Long most, @Nullable Long margin) {
        this.heap = heap;
        this.container = container;
        this.most = most == null ? Long.MAX_VALUE : heap.live() + most;
        this.margin = margin;
    }

    @Override
    public Reading read() {
        Container.Memory outside = container.memory();
        long ceiling = ceiling(heap.max(), heap.committed(), outside, margin);
        return new Reading(
                Math.min(ever(heap.max(), outside, margin), most), Math.min(ceiling, most), heap.live(), true);
    }

    static long ceiling(long max, long committed, Container.@Nullable Memory outside, @Nullable Long margin) {
        long ceiling = max;
        if (outside != null) {
            ceiling = Math.min(ceiling, committed + Math.max(0, outside.limit() - outside.used()));
        }
        return less(ceiling, margin);
    }

    /** What there would be if nothing else were in the container. */
    static long ever(long max, Container.@Nullable Memory outside, @Nullable Long margin) {
        return less(outside == null ? max : Math.min(max, outside.limit()), margin);
    }

    private static long less(long all, @Nullable Long margin) {
        return all - (margin == null ? all / 8 : margin);
    }
}
