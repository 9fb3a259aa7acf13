package dev.headgate.internal.lease;

/**
 * An override came to its end between the look at the policies and the decision: what was decided is thrown away and
 * decided anew, because a start belongs to the limits that hold at its instant.
 */
public final class OverrideEndedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public OverrideEndedException() {
        super("an override ended while a transition decided", null, false, false);
    }
}
