package dev.headgate.internal.resource;

import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/** What a thread has allocated so far, if the JVM knows: not for virtual threads. */
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

    /** Whether this JVM knows it of any thread. */
    static boolean canTell() {
        return THREADS != null;
    }

    /** In bytes; negative if the JVM does not know, also because the thread has ended. */
    static long allocated(Thread thread) {
        return THREADS == null || thread.isVirtual() ? -1 : THREADS.getThreadAllocatedBytes(thread.threadId());
    }
}
