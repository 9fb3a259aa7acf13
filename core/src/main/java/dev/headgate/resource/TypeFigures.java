package dev.headgate.resource;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What all workers together have measured of a job type.
 *
 * @param needs what its handler declares
 * @param expected how long its handler declares it to run
 * @param runs how many recent runs the figures rest on, older ones counting less
 * @param time what 95 of 100 of them did not exceed; absent if too few are known
 * @param memory the most that a measured run allocated; absent if none was measured
 */
public record TypeFigures(
        String type,
        Needs needs,
        @Nullable Duration expected,
        int runs,
        @Nullable Duration time,
        @Nullable Memory memory) {
    /** The most that a run was seen to allocate, and in how many runs that was measured. */
    public record Memory(long bytes, int runs) {}
}
