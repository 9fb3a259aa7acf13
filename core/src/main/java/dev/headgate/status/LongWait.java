package dev.headgate.status;

import dev.headgate.job.JobStatus;
import dev.headgate.limit.GateKey;
import org.jspecify.annotations.Nullable;

/**
 * A job that waits to start; {@link JobStatus.Times#readySince} says since when.
 *
 * @param at the gate or queue at which its lane stands in line; absent if no claim has found one that is shut
 */
public record LongWait(JobStatus job, @Nullable GateKey at) {}
