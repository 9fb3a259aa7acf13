package dev.headgate.store;

/** The store did not do what was asked: unreachable, full, or its answer was lost. Nothing is known to have changed. */
public final class StoreUnavailableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StoreUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
