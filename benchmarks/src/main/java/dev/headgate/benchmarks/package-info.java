/**
 * Measurements: JMH for the pure parts, whole runs for the stores.
 * Numbers are only compared when they come from one run on one machine.
 */
@NullMarked
package dev.headgate.benchmarks;

import org.jspecify.annotations.NullMarked;
