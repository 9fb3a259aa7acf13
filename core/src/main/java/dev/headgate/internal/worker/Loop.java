package dev.headgate.internal.worker;

import java.time.Duration;

/**
 * Runs its round whenever it is woken or its time has come. A {@link LoopRunner} makes it and decides where it runs.
 */
public interface Loop {
    void start();

    /** Makes the next round come at once, from any thread; many calls before it are one. */
    void wake();

    /** Ends after the present round; {@link #join} waits for that. */
    void finish();

    /** Waits for the end; returns whether it came in time. */
    boolean join(Duration atMost) throws InterruptedException;
}
