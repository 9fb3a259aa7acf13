package dev.headgate.proof.simulation;

/**
 * A transaction that has committed, in store time but for the nanoseconds of its commit.
 *
 * @param locked when it got the last of its locks of gates
 */
record Commit(long begun, long locked, long micros, long nanos) {}
