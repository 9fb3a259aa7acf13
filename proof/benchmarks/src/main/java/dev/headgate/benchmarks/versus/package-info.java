/**
 * Headgate beside other job queues: the same work on the same database in one run, each contender in a process of its own.
 * {@link dev.headgate.benchmarks.versus.Comparison} drives, {@code Trial} is what runs in each process, {@code Contender}
 * is what a queue must be able to do to take part, and {@code Entrant} lists those that do, with their settings.
 */
@NullMarked
package dev.headgate.benchmarks.versus;

import org.jspecify.annotations.NullMarked;
