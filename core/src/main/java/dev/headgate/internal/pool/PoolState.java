package dev.headgate.internal.pool;

import dev.headgate.resource.PoolBounds;
import java.util.List;

/**
 * How large a pool is, why, and what it must remember of the past.
 *
 * @param reason why it has this size, for people
 * @param resizedAt when it got this size
 * @param needs what was needed at each sample that still counts, oldest first
 */
public record PoolState(int size, String reason, long resizedAt, List<Need> needs) {
    /** What was needed at one sample. */
    public record Need(long at, int size) {}

    /** A pool begins with its least size. */
    public static PoolState first(PoolBounds bounds, long now) {
        return new PoolState(bounds.min(), "it begins with the least", now, List.of());
    }
}
