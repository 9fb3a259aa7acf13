package dev.headgate.handler;

import dev.headgate.job.JobId;

/** Ends a handler that was asked to stop; see {@link JobContext#checkCancelled}. */
public final class JobStopped extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public JobStopped(JobId id, String why) {
        super("job %s: %s".formatted(id, why));
    }
}
