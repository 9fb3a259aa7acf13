package dev.headgate.handler;

/** Thrown by a handler when trying again makes no sense: the job fails for good, whatever attempts it has left. */
public final class PermanentFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public PermanentFailure(String message) {
        super(message);
    }

    public PermanentFailure(String message, Throwable cause) {
        super(message, cause);
    }
}
