package dev.headgate.workflow;

/**
 * The code of a step: gets the state, returns the next one. Like any handler it may run more than once, so make it
 * idempotent; what it returns is recorded once. It throws what handlers throw.
 */
@FunctionalInterface
public interface StepCode<S, R> {
    /** Does the work of the step, and returns the next state; null is not allowed. */
    R apply(S state, Step step) throws Exception;
}
