package dev.headgate;

import dev.headgate.run.RunId;

/** A signal or an event was sent to a run or an instance that has ended, or is being cancelled. Nothing was stored. */
public final class RunEndedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    private final transient RunId id;

    RunEndedException(RunId id, String message) {
        super(message);
        this.id = id;
    }

    /** The run that takes no more signals. */
    public RunId id() {
        return id;
    }
}
