package dev.headgate.internal.lane;

/** A turn met jobs whose deadline has passed: they are ended first, and the turn is taken anew. */
public final class ExpiryDueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ExpiryDueException() {
        super("a deadline has passed", null, false, false);
    }
}
