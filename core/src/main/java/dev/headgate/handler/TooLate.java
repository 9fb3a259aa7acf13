package dev.headgate.handler;

import dev.headgate.job.JobId;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Ends a handler whose call would come too late for the job's limits; see {@link JobContext#beforeCall()}. Let it out, also as
 * a cause: then the job goes back to its place, and nothing of this attempt counts.
 */
public final class TooLate extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Duration lag;

    /**
     * Creates a refusal to make the call now.
     *
     * @param lag how long after the grant the call would have been made
     */
    public TooLate(JobId id, Duration lag, String why, @Nullable Throwable cause) {
        super("job %s: its call would come %s after its grant, and %s".formatted(id, lag, why), cause);
        this.lag = lag;
    }

    /** How long after the grant the call would have been made. */
    public Duration lag() {
        return lag;
    }
}
