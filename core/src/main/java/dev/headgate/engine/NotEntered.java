package dev.headgate.engine;

import dev.headgate.job.Outcome;

/** Ends a run whose handler's code is not entered after all. Says only what becomes of it, so it has no stack trace. */
final class NotEntered extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Outcome outcome;

    NotEntered(Outcome outcome) {
        super("not entered: " + outcome, null, false, false);
        this.outcome = outcome;
    }

    Outcome outcome() {
        return outcome;
    }
}
