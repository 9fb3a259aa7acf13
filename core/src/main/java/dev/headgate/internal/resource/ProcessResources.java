package dev.headgate.internal.resource;

import dev.headgate.resource.Needs;
import org.jspecify.annotations.Nullable;

/**
 * One process: its heap and its cores. All of its workers promise from the same stocks, so that two of them do not give the
 * same memory to two jobs. Whatever touches a stock holds the lock of the house.
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

    /** Whether its heap is so small that workers mind their room though nothing was said of it. */
    public boolean isSmall() {
        return isSmall;
    }

    /** Not before it is needed: looking into the JVM takes its time at first. */
    synchronized Heap heap() {
        Heap known = heap;
        if (known == null) {
            known = new Heap();
            heap = known;
        }
        return known;
    }
}
