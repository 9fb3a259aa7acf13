/**
 * What a job is: its type, id, state machine, options and history, as plain values.
 * Knows nothing of stores, threads or clocks.
 */
@NullMarked
package dev.headgate.job;

import org.jspecify.annotations.NullMarked;
