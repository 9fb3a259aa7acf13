package dev.headgate.transition;

import dev.headgate.store.JobRow;

/** What became of a running job that asked once more for its start, right before its call. */
public sealed interface Departure {
    /**
     * Its old start was given up, and a new one was taken.
     *
     * @param lease its lease, with the margin that it has now
     * @param margin how long after the new grant its call may be made, in microseconds; 0 if nothing bounds that
     * @param grantedNanos the new grant is not older than this, see {@link Turn#grantedNanos}
     */
    record Granted(JobRow lease, long margin, long grantedNanos) implements Departure {}

    /** Its limits do not let it start now. Its old start stands until it comes back. */
    record Denied() implements Departure {}

    /** Its lease is gone. */
    record Gone() implements Departure {}
}
