package dev.headgate.resource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Between which sizes a pool moves, and how fast: {@code PoolBounds.between(2, 64).idleGrace(ofMinutes(5))}.
 *
 * @param step by how much it grows or shrinks at once, at most
 * @param every how often it is looked at
 * @param cooldown how long it keeps a size at least
 * @param idleGrace how long less must have been needed before it shrinks
 */
public record PoolBounds(int min, int max, int step, Duration every, Duration cooldown, Duration idleGrace) {
    private static final Duration EVERY_DEFAULT = Duration.ofSeconds(5);
    private static final Duration GRACE_DEFAULT = Duration.ofSeconds(60);
    private static final Duration EVERY_MIN = Duration.ofMillis(10);
    private static final Duration GRACE_MAX = Duration.ofDays(1);

    /** A third of the way at each step, so that three looks are enough from the floor to the ceiling. */
    private static final int STEPS = 3;

    /** One size that never moves. */
    public static PoolBounds fixed(int size) {
        return between(size, size);
    }

    /** Looks every 5 seconds, takes at most 3 steps from one end to the other, shrinks after 60 seconds. */
    public static PoolBounds between(int min, int max) {
        long way = Math.max(0L, (long) max - min);
        int step = (int) Math.max(1, Math.ceilDiv(way, STEPS));
        return new PoolBounds(min, max, step, EVERY_DEFAULT, EVERY_DEFAULT, GRACE_DEFAULT);
    }

    /**
     * By how many slots it grows or shrinks at once, at most. Default: a third of the way from {@code min} to {@code
     * max}.
     */
    public PoolBounds step(int most) {
        return new PoolBounds(min, max, most, every, cooldown, idleGrace);
    }

    /** Looks so often, and keeps a size as long as that. */
    public PoolBounds every(Duration interval) {
        return new PoolBounds(min, max, step, interval, interval, idleGrace);
    }

    /** How long it keeps a size at least, 0 to 1 day. Default: 5 seconds. */
    public PoolBounds cooldown(Duration atLeast) {
        return new PoolBounds(min, max, step, every, atLeast, idleGrace);
    }

    /** How long less must have been enough before it shrinks, 0 to 1 day. Default: 60 seconds. */
    public PoolBounds idleGrace(Duration less) {
        return new PoolBounds(min, max, step, every, cooldown, less);
    }

    /** Whether it never moves. */
    public boolean isFixed() {
        return min == max;
    }

    /**
     * What is wrong with these bounds; nothing, if they can be used.
     *
     * @param what what is counted, such as {@code slots}
     */
    public List<String> faults(String what, int most) {
        List<String> faults = new ArrayList<>();
        for (int size : isFixed() ? List.of(min) : List.of(min, max)) {
            if (size < 1 || size > most) {
                faults.add("%s: expected 1 to %d, got %d".formatted(what, most, size));
            }
        }
        if (min > max) {
            faults.add("%s: expected the least to be no more than the most, got %d to %d".formatted(what, min, max));
        }
        if (step < 1) {
            faults.add("%s: expected steps of 1 or more, got %d".formatted(what, step));
        }
        if (every.compareTo(EVERY_MIN) < 0) {
            faults.add("%s: expected a look every 10 milliseconds at most, got every %s".formatted(what, every));
        }
        if (cooldown.isNegative() || cooldown.compareTo(GRACE_MAX) > 0) {
            faults.add("%s: expected a cooldown of 0 to 1 day, got %s".formatted(what, cooldown));
        }
        if (idleGrace.isNegative() || idleGrace.compareTo(GRACE_MAX) > 0) {
            faults.add("%s: expected an idle grace of 0 to 1 day, got %s".formatted(what, idleGrace));
        }
        return faults;
    }
}
