package dev.headgate;

import dev.headgate.run.RunId;

/** There is no such run, or it has ended and can no longer do what was asked. */
public final class UnknownRunException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient RunId id;

    public UnknownRunException(RunId id, String message) {
        super(message);
        this.id = id;
    }

    public RunId id() {
        return id;
    }
}
