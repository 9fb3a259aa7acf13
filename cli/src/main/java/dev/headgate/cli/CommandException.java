package dev.headgate.cli;

/** Ends a command with a message for people and an exit code. Not a bug, so it never shows a stack trace by itself. */
public final class CommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exit;

    private CommandException(int exit, String message) {
        super(message);
        this.exit = exit;
    }

    /** The command ran, and its result is bad. */
    public static CommandException bad(String message) {
        return new CommandException(ExitCode.BAD, message);
    }

    /** The command was not understood. */
    public static CommandException usage(String message) {
        return new CommandException(ExitCode.USAGE, message);
    }

    /** The store is not there or not usable. */
    public static CommandException store(String message) {
        return new CommandException(ExitCode.STORE, message);
    }

    public int exit() {
        return exit;
    }
}
