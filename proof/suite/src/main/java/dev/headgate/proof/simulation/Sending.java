package dev.headgate.proof.simulation;

/**
 * A call on its way to the store.
 *
 * @param stoodStill for how long its process had stood still by then
 */
record Sending(Host host, long nanos, long stoodStill) {}
