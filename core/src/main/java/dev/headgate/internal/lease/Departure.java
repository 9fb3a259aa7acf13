package dev.headgate.internal.lease;

import dev.headgate.spi.JobRow;

/** What became of a running job that asked once more for its start, right before its call. */
public sealed interface Departure {
    /**
     * Its old start was given up, and a new one was taken.
     *
     * @param lease its lease, with the start that it has now
     * @param grantedNanos the new grant is not older than this, see {@link Turn#grantedNanos}
     */
    record Granted(JobRow lease, long grantedNanos) implements Departure {}

    /**
     * Its limits do not let it start now. Its old start stands until it comes back.
     *
     * @param waitMicros until time may let it start; a moment if something else must happen first
     */
    record Denied(long waitMicros) implements Departure {}

    /** Its lease is gone. */
    record Gone() implements Departure {}
}
