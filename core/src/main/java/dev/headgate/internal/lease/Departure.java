package dev.headgate.internal.lease;

import dev.headgate.spi.JobRow;

/** The answer to a running job that asked for a new start right before its call. */
public sealed interface Departure {
    /**
     * Its old start was given up, and a new one was taken.
     *
     * @param lease its lease, with the start that it has now
     * @param grantedNanos the new grant is not older than this, see {@link Turn.Times#grantedNanos}
     */
    record Granted(JobRow lease, long grantedNanos) implements Departure {}

    /**
     * Its limits do not let it start now. It keeps its old start.
     *
     * @param waitMicros when to ask again
     */
    record Denied(long waitMicros) implements Departure {}

    /** Its lease is gone. */
    record Gone() implements Departure {}
}
