package dev.headgate.internal.worker;

import dev.headgate.job.Outcome;

/** Ends a run whose handler is not entered after all. Carries only the outcome, so it has no stack trace. */
final class HandlerNotEntered extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Outcome outcome;

    HandlerNotEntered(Outcome outcome) {
        super("not entered: " + outcome, null, false, false);
        this.outcome = outcome;
    }

    Outcome outcome() {
        return outcome;
    }
}
