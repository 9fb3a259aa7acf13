package dev.headgate.evidence;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the journal says about one limit while it was in force.
 *
 * @param limit its text form, such as {@code rate 20/1s burst 5}
 * @param from its first start that was looked at
 * @param to its last
 * @param starts how many jobs started under it
 * @param units what they took of it: jobs, or cost if it counts cost; settled costs are not added up here
 * @param violations how many batches of starts broke it
 * @param examples the first of them
 * @param tightest the start that left the least room; absent if none could be compared with another
 * @param used what was used of {@code allowed}: units over the whole time, or the peak of a limit on what runs at once
 * @param allowed the most that could have started between the first and the last start
 */
public record Certificate(
        String limit,
        Instant from,
        Instant to,
        long starts,
        long units,
        long violations,
        List<WaterMark> examples,
        @Nullable WaterMark tightest,
        long used,
        BigInteger allowed) {

    /** Violations are counted to the last, and shown up to this many. */
    public static final int EXAMPLES_MAX = 10;

    /** Whether no start broke it. */
    public boolean isKept() {
        return violations == 0;
    }

    /** How much of what was allowed was used, in percent with two decimals, rounded down. */
    public BigDecimal usedPercent() {
        return allowed.signum() <= 0
                ? BigDecimal.ZERO.setScale(2)
                : BigDecimal.valueOf(used).movePointRight(2).divide(new BigDecimal(allowed), 2, RoundingMode.DOWN);
    }
}
