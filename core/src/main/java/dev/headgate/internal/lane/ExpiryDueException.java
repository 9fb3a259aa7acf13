package dev.headgate.internal.lane;

/** A turn found jobs whose deadline has passed. They are ended first, then the turn runs again. */
public final class ExpiryDueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ExpiryDueException() {
        super("a deadline has passed", null, false, false);
    }
}
