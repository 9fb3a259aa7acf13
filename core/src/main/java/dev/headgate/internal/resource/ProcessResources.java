package dev.headgate.internal.resource;

import dev.headgate.resource.Needs;
import org.jspecify.annotations.Nullable;

/**
 * The heap and the cores of one process. All of its workers reserve from the same stocks, so two of them never give the
 * same memory to two jobs. All access to a stock holds the lock of this object.
 */
public final class ProcessResources {
    /** Below this a few careless jobs fill a heap. */
    private static final long SMALL = Needs.mb(768);

    private final boolean isSmall;
    final Stock memory = new Stock();
    final Stock cpu = new Stock();
    private @Nullable Heap heap;

    /** A process of its own, for tests that play several. */
    public ProcessResources() {
        this(false);
    }

    private ProcessResources(boolean isSmall) {
        this.isSmall = isSmall;
    }

    private static final class Ours {
        private static final ProcessResources HOUSE =
                new ProcessResources(Runtime.getRuntime().maxMemory() < SMALL);
    }

    /** The process in which this code runs. */
    public static ProcessResources ours() {
        return Ours.HOUSE;
    }

    /** Whether its heap is so small that workers track their capacity without being asked to. */
    public boolean isSmall() {
        return isSmall;
    }

    /** Created on first use: reading the JVM takes time at first. */
    synchronized Heap heap() {
        Heap known = heap;
        if (known == null) {
            known = new Heap();
            heap = known;
        }
        return known;
    }
}
