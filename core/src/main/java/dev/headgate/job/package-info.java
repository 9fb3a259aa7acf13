/**
 * What a job is, as values: its type, its number, its state, its attempts.
 * Start with {@link dev.headgate.job.JobType} and {@link dev.headgate.job.JobStatus}.
 */
@NullMarked
package dev.headgate.job;

import org.jspecify.annotations.NullMarked;
