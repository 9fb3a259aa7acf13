package dev.headgate.evidence;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the journal says about one limit while it was in force, in two views. At the grant, each start counts when it was
 * granted. Until the call, it counts in full from then on until its margin was over or it came back: if that is kept, the limit
 * was kept by any count of the calls, whenever each of them was made in between.
 *
 * @param limit its text form, such as {@code rate 20/1s burst 5}
 * @param from its first start that was looked at
 * @param to its last
 * @param starts how many jobs started under it, without those that were late
 * @param units what they took of it: jobs, or cost if it counts cost; settled costs are not added up here
 * @param atGrant counted at the grant
 * @param untilCall counted until the call; absent if no start under it had a margin, so that it is the same
 * @param used what was used of {@code allowed}: units over the whole time, or the peak of a limit on what runs at once
 * @param allowed the most that could have started between the first and the last start
 */
public record Certificate(
        String limit,
        Instant from,
        Instant to,
        long starts,
        long units,
        Judgement atGrant,
        @Nullable Judgement untilCall,
        long used,
        BigInteger allowed) {

    /** How many batches of starts broke it: a batch that breaks it in both views counts once, because until the call is stricter. */
    public long violations() {
        return untilCall == null ? atGrant.violations() : Math.max(atGrant.violations(), untilCall.violations());
    }

    /** The first of them. */
    public List<WaterMark> examples() {
        return atGrant.isKept() && untilCall != null ? untilCall.examples() : atGrant.examples();
    }

    /** Whether no start broke it, in either view. */
    public boolean isKept() {
        return violations() == 0;
    }

    /** How much of what was allowed was used, in percent with two decimals, rounded down. */
    public BigDecimal usedPercent() {
        return allowed.signum() <= 0
                ? BigDecimal.ZERO.setScale(2)
                : BigDecimal.valueOf(used).movePointRight(2).divide(new BigDecimal(allowed), 2, RoundingMode.DOWN);
    }

    /**
     * What the batches of starts under one limit came to, in one view.
     *
     * @param violations how many batches broke it
     * @param examples the first of them
     * @param tightest the start that left the least room; absent if none could be compared with another
     */
    public record Judgement(
            long violations,
            List<WaterMark> examples,
            @Nullable WaterMark tightest) {
        /** Violations are counted to the last, and shown up to this many. */
        public static final int EXAMPLES_MAX = 10;

        /** Whether no start broke it. */
        public boolean isKept() {
            return violations == 0;
        }
    }

    /**
     * How close a start came to a limit, or how far it went beyond: {@code used > allowed} is a violation.
     *
     * @param at when the jobs started
     * @param since where the interval begins that was looked at
     * @param used what was taken in it; for a spacing, the microseconds it needed
     * @param allowed what the limit allows in it; for a spacing, the microseconds there were
     * @param figures the same for people
     */
    public record WaterMark(Instant at, Instant since, long used, long allowed, String figures) {
        @Override
        public String toString() {
            return "%s: %s".formatted(at, figures);
        }
    }
}
