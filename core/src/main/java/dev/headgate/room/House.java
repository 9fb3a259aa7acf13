package dev.headgate.room;

import org.jspecify.annotations.Nullable;

/**
 * One process: its heap and its cores. All of its workers promise from the same stocks, so that two of them do not give the
 * same memory to two jobs. Whatever touches a stock holds the lock of the house.
 */
public final class House {
    final Stock memory = new Stock();
    final Stock cpu = new Stock();
    private @Nullable Heap heap;

    /** A process of its own, for tests that play several. */
    public House() {}

    private static final class Ours {
        private static final House HOUSE = new House();
    }

    /** The process in which this code runs. */
    public static House ours() {
        return Ours.HOUSE;
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
