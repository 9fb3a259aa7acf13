package dev.headgate.proof.simulation;

/** Thrown through the code of a process that has just died. An error, so that nothing of it is caught on the way. */
final class Crashed extends Error {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("StaticAssignmentOfThrowable") // has no trace
    static final Crashed NOW = new Crashed();

    private Crashed() {
        super("this process has died", null, false, false);
    }
}
