package dev.headgate.cli;

import java.util.function.IntConsumer;

/** How a running command is asked to stop. */
@FunctionalInterface
public interface Signals {
    /** No signal ever comes. */
    Signals NONE = reaction -> {};

    /** Calls back once, with the exit code that a process ended by this signal has; a second signal ends it at once. */
    void onFirst(IntConsumer reaction);

    /** Calls back whenever the window of the terminal has another size. */
    default void onResize(Runnable reaction) {}

    /** Calls back at the first signal and at the second, which insists; a third ends the process at once. */
    default void onFirstAndSecond(IntConsumer first, Runnable second) {
        onFirst(first);
    }
}
