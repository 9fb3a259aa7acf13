package dev.headgate.proof.simulation;

/** What a simulated handler throws; without a stack trace, which would cost more than all the rest. */
final class MadeToFail extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MadeToFail(String message) {
        super(message, null, false, false);
    }
}
