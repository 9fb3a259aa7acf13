package dev.headgate.cli;

/** What the exit code says; the same words are in {@code headgate --help}. */
public final class ExitCode {
    public static final int OK = 0;
    /** It ran, and the answer is bad: a limit broken, drift found, no such job, a job in the wrong state. */
    public static final int BAD = 1;
    /** It was asked for in a way it does not understand; nothing was changed. */
    public static final int USAGE = 2;
    /** The store cannot be reached, or refuses to be used. */
    public static final int STORE = 3;
    /** A fault of Headgate's own. */
    public static final int BUG = 4;

    private ExitCode() {}
}
