package dev.headgate.internal.pool;

import dev.headgate.limit.Spans;
import java.time.Duration;

/**
 * When a process that has ended is started again: soon, then later and later if it ends soon after each start, and
 * finally not at all. No clock: it is told the time. Not thread-safe.
 */
public final class Restarts {
    /** A process that lives this long has started well. */
    public static final Duration QUICK = Duration.ofSeconds(10);

    /** After this many ends in a row, each soon after the start, it gives up. */
    public static final int QUICK_MAX = 6;

    private static final Duration FIRST = Duration.ofMillis(200);
    private static final Duration LONGEST = Duration.ofSeconds(30);

    private int quick;

    /** What to do. */
    public sealed interface Next {
        /** Start it again after this time. */
        record Again(Duration after) implements Next {}

        /** Do not start it again. */
        record GiveUp(String reason) implements Next {}
    }

    /** The process has ended by itself after this time. */
    public Next ended(Duration lived, String how) {
        quick = lived.compareTo(QUICK) < 0 ? quick + 1 : 0;
        if (quick >= QUICK_MAX) {
            return new Next.GiveUp("it ended %d times in a row within %s of its start, at last %s"
                    .formatted(QUICK_MAX, Spans.text(QUICK), how));
        }
        Duration wait = FIRST.multipliedBy(1L << Math.max(0, quick - 1));
        return new Next.Again(wait.compareTo(LONGEST) > 0 ? LONGEST : wait);
    }
}
