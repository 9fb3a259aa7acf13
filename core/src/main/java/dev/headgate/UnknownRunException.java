package dev.headgate;

import dev.headgate.run.RunId;

/** No run of a workflow, or instance of a state machine, has this id: there never was one, or it was pruned. */
public final class UnknownRunException extends NotFoundException {
    private static final long serialVersionUID = 1L;

    private final transient RunId id;

    UnknownRunException(RunId id, String message) {
        super(message);
        this.id = id;
    }

    /** The id that was asked for. */
    public RunId id() {
        return id;
    }
}
