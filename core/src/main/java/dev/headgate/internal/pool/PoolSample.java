package dev.headgate.internal.pool;

/**
 * A pool at one moment.
 *
 * @param now by a clock that never goes back, in nanoseconds
 * @param busy the most members at work at once since the last sample
 * @param backlog how many waiting jobs could start at once if the pool were larger; without jobs that a gate, a pause
 *     or their own time holds back
 * @param isMemoryShort there is no memory for another member
 */
public record PoolSample(long now, int busy, int backlog, boolean isMemoryShort) {
    /** The size that all of that needs. */
    long needed() {
        return (long) busy + backlog;
    }
}
