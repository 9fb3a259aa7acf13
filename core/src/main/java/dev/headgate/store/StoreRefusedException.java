package dev.headgate.store;

/** The store cannot be used as it is: not a Headgate store, read-only, or of a newer version. The message says what to do. */
public final class StoreRefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StoreRefusedException(String message) {
        super(message);
    }

    public StoreRefusedException(String message, Throwable cause) {
        super(message, cause);
    }
}
