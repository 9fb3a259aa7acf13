package dev.headgate.store;

import dev.headgate.job.Cost;

/**
 * A waiting job at or near the head of its lane.
 *
 * @param standing whether the run that it is a step of still wants it
 */
public record HeadRow(String lane, long job, long rank, Cost cost, String type, Standing standing) {
    /** What the run says of its step; a plain job is always wanted. */
    public enum Standing {
        WANTED,
        /** The run is paused, or stopped by its budget. */
        HELD,
        /** The run has ended or gone another way. */
        GONE
    }
}
