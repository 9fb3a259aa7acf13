package dev.headgate.proof.simulation;

/**
 * A promise that was broken.
 *
 * @param invariant such as {@code I6}
 * @param what who and how
 * @param atEvent after how many events it was seen
 */
public record Violation(String invariant, String what, long atEvent) {}
