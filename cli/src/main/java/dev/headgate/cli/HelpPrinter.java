package dev.headgate.cli;

import java.util.List;

/** Prints the help of a command, or of the whole tool if no words name one; fails if there is no such command. */
@FunctionalInterface
interface HelpPrinter {
    /**
     * Prints it.
     *
     * @param words such as {@code gates set}
     */
    void print(List<String> words);
}
