package dev.headgate.jdbc;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** A daemon thread of a store that repeats one step until closed: listening, watching, publishing. */
public final class Loop implements AutoCloseable {
    private final AtomicBoolean isOpen = new AtomicBoolean(true);
    private final Thread thread;

    private Loop(String name, BooleanSupplier step) {
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(() -> {
            while (isOpen.get() && step.getAsBoolean()) {
                // the step itself waits
            }
        });
    }

    /**
     * Starts the thread.
     *
     * @param step one round; it waits for its own event, and answers false to end the loop
     */
    public static Loop start(String name, BooleanSupplier step) {
        Loop loop = new Loop(name, step);
        loop.thread.start();
        return loop;
    }

    public boolean isOpen() {
        return isOpen.get();
    }

    /** Ends after the step under way; answers whether it has ended within this time. */
    public boolean stop(Duration within) {
        isOpen.set(false);
        try {
            return thread.join(within);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        isOpen.set(false);
        thread.interrupt();
    }
}
