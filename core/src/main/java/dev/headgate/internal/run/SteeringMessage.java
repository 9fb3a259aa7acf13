package dev.headgate.internal.run;

import org.jspecify.annotations.Nullable;

/**
 * The payload of a job that steers a run.
 *
 * @param why what has happened to its frame
 * @param detail the error, if that was a failure; the name of a signal that has arrived
 */
public record SteeringMessage(Why why, @Nullable String detail) {
    /** What has happened. */
    public enum Why {
        BEGIN,
        SLEPT,
        SIGNALLED,
        /** A signal was left without a look at what awaits it. */
        ARRIVED,
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

    public SteeringMessage(Why why) {
        this(why, null);
    }
}
