package dev.headgate;

import dev.headgate.job.JobId;

/**
 * The answer to an enqueue.
 *
 * @param isNew false if a live job already carried the same dedup key; then {@code id} is that job's, and nothing was
 *     added
 */
public record Enqueued(JobId id, boolean isNew) {}
