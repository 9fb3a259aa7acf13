package dev.headgate.internal.pool;

/**
 * What a pool looks like at one moment.
 *
 * @param now by a clock that never goes back, in nanoseconds
 * @param busy how many of it were at work at once since the last look
 * @param backlog how many jobs wait that could start at once if there were room for them; never those that a gate, a
 *     pause or their own time holds back
 * @param isMemoryShort there is no memory for more of it
 */
public record PoolLook(long now, int busy, int backlog, boolean isMemoryShort) {
    /** How large it would have to be for all of that. */
    long needed() {
        return (long) busy + backlog;
    }
}
