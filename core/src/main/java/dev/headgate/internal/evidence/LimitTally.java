package dev.headgate.internal.evidence;

import dev.headgate.evidence.Certificate;
import dev.headgate.internal.time.Micros;
import dev.headgate.spi.JournalTable.Entry;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** The sums of one limit over all stretches of time in which it was in force. */
final class LimitTally {
    private static final long NONE = Long.MIN_VALUE;

    private final String limit;
    private final WaterMarks atGrant = new WaterMarks();
    private final WaterMarks untilCall = new WaterMarks();
    private boolean isSpanned;
    private long from = NONE;
    private long to;
    private long starts;
    private long units;
    private long peak;
    private BigInteger allowedBefore = BigInteger.ZERO;
    private BigInteger allowedNow = BigInteger.ZERO;
    private long stretchBegan = NONE;
    private long period = NONE;
    private long periods;
    private boolean isLevel;

    LimitTally(String limit) {
        this.limit = limit;
    }

    /** The limit was changed or the gate cleared; what comes may be under the same limit again. */
    void endStretch() {
        allowedBefore = allowedBefore.add(allowedNow);
        allowedNow = BigInteger.ZERO;
        stretchBegan = NONE;
        periods = 0;
        period = NONE;
    }

    void add(Entry batch, Check check) {
        long amount = check.amount(batch);
        from = from == NONE ? batch.event().at() : Math.min(from, batch.event().at());
        to = Math.max(to, batch.event().at());
        starts += batch.event().starts();
        units += amount;
        stretchBegan = stretchBegan == NONE ? batch.event().at() : stretchBegan;
        if (check.since != period) {
            period = check.since;
            periods++;
        }
        if (check.isLevel()) {
            peak = Math.max(peak, check.used);
            allowedNow = check.allowance(stretchBegan, batch.event().at(), amount, periods)
                    .max(allowedNow);
        } else {
            allowedNow = check.allowance(stretchBegan, batch.event().at(), amount, periods);
        }
        isLevel = check.isLevel();
    }

    void judgeAtGrant(Entry batch, Check check) {
        atGrant.add(batch, check);
    }

    /** @param spanned whether it was open for longer than its instant: if none was, both views are one */
    void judgeUntilCall(Entry batch, Check check, boolean spanned) {
        untilCall.add(batch, check);
        isSpanned |= spanned;
    }

    /** Starts that were counted did not happen after all. */
    void late(long jobs, long amount) {
        starts = Math.max(0, starts - jobs);
        units = Math.max(0, units - amount);
    }

    @Nullable
    Certificate certificate() {
        if (from == NONE) {
            return null;
        }
        return new Certificate(
                limit,
                Micros.instant(from),
                Micros.instant(to),
                starts,
                units,
                atGrant.judgement(),
                isSpanned ? untilCall.judgement() : null,
                isLevel ? peak : units,
                isLevel ? allowedBefore.max(allowedNow) : allowedBefore.add(allowedNow));
    }
}
