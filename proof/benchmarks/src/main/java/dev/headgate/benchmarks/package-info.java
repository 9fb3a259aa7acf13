/**
 * Measurements: each class with a main method asks one question of whole runs on the stores named as arguments.
 * Start with {@code WorkerDrain} and {@code ClaimFlat}; {@code docs/performance.md} says how to run and read them.
 * Numbers are only compared when they come from one run on one machine.
 */
@NullMarked
package dev.headgate.benchmarks;

import org.jspecify.annotations.NullMarked;
