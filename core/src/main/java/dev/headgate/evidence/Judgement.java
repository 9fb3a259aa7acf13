package dev.headgate.evidence;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the batches of starts under one limit came to, in one view.
 *
 * @param violations how many batches broke it
 * @param examples the first of them
 * @param tightest the start that left the least room; absent if none could be compared with another
 */
public record Judgement(
        long violations, List<WaterMark> examples, @Nullable WaterMark tightest) {
    /** Violations are counted to the last, and shown up to this many. */
    public static final int EXAMPLES_MAX = 10;

    /** Whether no start broke it. */
    public boolean isKept() {
        return violations == 0;
    }
}
