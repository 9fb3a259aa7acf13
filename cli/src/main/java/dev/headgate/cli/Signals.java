package dev.headgate.cli;

import java.util.function.IntConsumer;

/** How somebody asks a running command to stop. */
@FunctionalInterface
public interface Signals {
    /** Nobody does. */
    Signals NONE = reaction -> {};

    /** Calls back once, with the exit code that a process ended by this signal has; a second signal ends it at once. */
    void onFirst(IntConsumer reaction);
}
