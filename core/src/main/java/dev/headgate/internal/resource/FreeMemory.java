package dev.headgate.internal.resource;

import java.nio.file.Path;
import java.util.Collection;

/**
 * Memory for more processes like this one, of what the container, or else the machine, has left.
 *
 * <p>Design note. A process that has just started, or whose jobs need little, has not yet taken what it may take. So
 * this counts not the memory in use, but the memory that would be in use if all processes had grown.
 *
 * @param bytes what is left once the running processes have grown as far as they may; {@link Long#MAX_VALUE} if no
 *     source knows it
 * @param each what one process may take: all of its heap, and what it has beyond that
 */
public record FreeMemory(long bytes, long each) {
    /** Classes, compiled code, stacks and buffers: what a process has beyond its heap, besides an eighth of that. */
    static final long BEYOND_HEAP = 128L << 20;

    /**
     * Beside these child processes, which are alike.
     *
     * @param children by process number
     * @param starting how many more are about to start
     */
    public static FreeMemory beside(Collection<Long> children, int starting) {
        return below(Path.of("/"), Runtime.getRuntime().maxMemory(), children, starting);
    }

    static FreeMemory below(Path root, long heap, Collection<Long> children, int starting) {
        long each = heap + heap / 8 + BEYOND_HEAP;
        Container container = new Container(root);
        Container.Memory memory = container.memory();
        if (memory == null) {
            return new FreeMemory(Long.MAX_VALUE, each);
        }
        long free = memory.limit() - memory.used() - starting * each;
        for (Long child : children) {
            Long taken = container.anonymous(child);
            free -= Math.max(0, each - (taken == null ? 0 : taken));
        }
        return new FreeMemory(free, each);
    }

    /** How many more fit. */
    public int more() {
        return Math.clamp(bytes / each, 0, Integer.MAX_VALUE);
    }
}
