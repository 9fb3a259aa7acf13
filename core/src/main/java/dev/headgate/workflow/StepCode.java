package dev.headgate.workflow;

/**
 * The code of a step: gets the state, returns the next one. Like any handler it may run more than once, so its effects
 * outside should bear repetition; what it returns is recorded once. It throws what handlers throw.
 */
@FunctionalInterface
public interface StepCode<S, R> {
    R apply(S state, Step step) throws Exception;
}
