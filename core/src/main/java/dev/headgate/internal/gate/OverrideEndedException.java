package dev.headgate.internal.gate;

/**
 * An override ended between the reading of the policies and the decision. The transaction is rolled back and runs again, because
 * a start belongs to the limits in force at its instant.
 */
final class OverrideEndedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OverrideEndedException() {
        super("an override ended while a transition decided", null, false, false);
    }
}
