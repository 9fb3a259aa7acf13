/**
 * What a job is: its type, id, state machine, options and history, as plain values.
 * Start with {@link dev.headgate.job.JobType} and {@link dev.headgate.job.JobState}.
 * Knows nothing of stores, threads or clocks.
 */
@NullMarked
package dev.headgate.job;

import org.jspecify.annotations.NullMarked;
