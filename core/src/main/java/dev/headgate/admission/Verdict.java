package dev.headgate.admission;

/** What one limit says to one job. */
public sealed interface Verdict {
    Verdict YES = new Yes();

    record Yes() implements Verdict {}

    /** Not before {@code at}; the exact instant, in store time. */
    record NotBefore(long at, String figures) implements Verdict {}

    /** Not until somebody releases capacity. */
    record UntilRelease(String figures) implements Verdict {}

    /** Not ever: the job asks for more than the limit could give when idle. */
    record Never(String reason) implements Verdict {}
}
