package dev.headgate.job;

/** Stored JSON does not fit the Java type that was asked for. The message holds no part of the text itself. */
public final class UnreadableJsonException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnreadableJsonException(String message, Throwable cause) {
        super(message, cause);
    }

    public UnreadableJsonException(String message) {
        super(message);
    }
}
