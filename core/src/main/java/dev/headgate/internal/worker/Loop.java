package dev.headgate.internal.worker;

import java.time.Duration;

/** Does its round whenever it is woken or its time has come. Made by a {@link LoopRunner}, which says on what it turns. */
public interface Loop {
    void start();

    /** Makes the next round come at once, from any thread; many calls before it are one. */
    void wake();

    /** Ends after the present round; whoever needs that waits with {@link #join}. */
    void finish();

    /** Waits for the end; answers whether it came in time. */
    boolean join(Duration atMost) throws InterruptedException;
}
