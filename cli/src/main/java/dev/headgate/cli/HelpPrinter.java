package dev.headgate.cli;

import org.jspecify.annotations.Nullable;

/** Prints the help of a command, or of the whole tool if none is named; false if there is no such command. */
@FunctionalInterface
interface HelpPrinter {
    boolean print(@Nullable String command);
}
