package dev.headgate.run;

import org.jspecify.annotations.Nullable;

/**
 * The payload of a job that steers a run.
 *
 * @param why what has happened to its frame
 * @param detail the error, if that was a failure
 */
public record Control(Why why, @Nullable String detail) {
    /** What has happened. */
    public enum Why {
        BEGIN,
        SLEPT,
        SIGNALLED,
        TIMED_OUT,
        JOINED,
        FORKING,
        FAILED,
        CANCELLED,
        RESUMED,
        DEADLINE,
        OVERDUE,
        SWEEP
    }

    public Control(Why why) {
        this(why, null);
    }
}
