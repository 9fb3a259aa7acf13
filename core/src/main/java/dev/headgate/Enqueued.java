package dev.headgate;

import dev.headgate.job.JobId;

/**
 * What an enqueue did: the id of the job, and whether the job is new.
 *
 * @param isNew false if a live job already carried the same dedup key; then {@code id} is that job's, and nothing was
 *     added
 */
public record Enqueued(JobId id, boolean isNew) {}
