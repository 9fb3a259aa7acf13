package dev.headgate.room;

import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/** What the present thread has allocated so far, where the JVM can tell: not for virtual threads. */
final class ThreadMemory {
    private static final com.sun.management.@Nullable ThreadMXBean THREADS = find();

    private ThreadMemory() {}

    private static com.sun.management.@Nullable ThreadMXBean find() {
        return ManagementFactory.getThreadMXBean() instanceof com.sun.management.ThreadMXBean threads
                        && threads.isThreadAllocatedMemorySupported()
                        && threads.isThreadAllocatedMemoryEnabled()
                ? threads
                : null;
    }

    /** In bytes; negative if the JVM cannot tell. */
    static long allocated() {
        return THREADS == null || Thread.currentThread().isVirtual() ? -1 : THREADS.getCurrentThreadAllocatedBytes();
    }
}
