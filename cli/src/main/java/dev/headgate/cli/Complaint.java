package dev.headgate.cli;

/** Ends a command with a message for people and an exit code. Not a bug, so it never shows a stack trace by itself. */
public final class Complaint extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int exit;

    private Complaint(int exit, String message) {
        super(message);
        this.exit = exit;
    }

    /** The command ran; the answer is bad. */
    public static Complaint bad(String message) {
        return new Complaint(Exit.BAD, message);
    }

    /** The command was not understood. */
    public static Complaint usage(String message) {
        return new Complaint(Exit.USAGE, message);
    }

    /** The store is not there or not usable. */
    public static Complaint store(String message) {
        return new Complaint(Exit.STORE, message);
    }

    public int exit() {
        return exit;
    }
}
