package dev.headgate.proof.simulation;

/**
 * A broken promise.
 *
 * @param invariant such as {@code I6}
 * @param what the start or table, and how
 * @param atEvent after how many events it was seen
 */
public record Violation(String invariant, String what, long atEvent) {}
