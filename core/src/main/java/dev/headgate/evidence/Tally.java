package dev.headgate.evidence;

import dev.headgate.admission.Micros;
import dev.headgate.store.JournalTable.Entry;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The sums of one limit over all stretches of time in which it was in force. */
final class Tally {
    private static final long NONE = Long.MIN_VALUE;

    private final String limit;
    private final List<WaterMark> examples = new ArrayList<>();
    private @Nullable WaterMark tightest;
    private long from = NONE;
    private long to;
    private long starts;
    private long units;
    private long violations;
    private long peak;
    private BigInteger allowedBefore = BigInteger.ZERO;
    private BigInteger allowedNow = BigInteger.ZERO;
    private long stretchBegan = NONE;
    private long period = NONE;
    private long periods;
    private boolean isLevel;

    Tally(String limit) {
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

    void add(Entry batch, Check check, boolean isJudged) {
        long amount = check.amount(batch);
        from = from == NONE ? batch.at() : Math.min(from, batch.at());
        to = Math.max(to, batch.at());
        starts += batch.starts();
        units += amount;
        stretchBegan = stretchBegan == NONE ? batch.at() : stretchBegan;
        if (check.since != period) {
            period = check.since;
            periods++;
        }
        if (check.isLevel()) {
            peak = Math.max(peak, check.used);
            allowedNow =
                    check.allowance(stretchBegan, batch.at(), amount, periods).max(allowedNow);
        } else {
            allowedNow = check.allowance(stretchBegan, batch.at(), amount, periods);
        }
        if (isJudged) {
            judge(batch, check);
        }
        isLevel = check.isLevel();
    }

    private void judge(Entry batch, Check check) {
        long room = check.allowed - check.used;
        if (room < 0) {
            violations++;
            if (examples.size() < Certificate.EXAMPLES_MAX) {
                examples.add(moment(batch, check));
            }
        }
        if (tightest == null || room < tightest.allowed() - tightest.used()) {
            tightest = moment(batch, check);
        }
    }

    private static WaterMark moment(Entry batch, Check check) {
        return new WaterMark(
                Micros.instant(batch.at()), Micros.instant(check.since), check.used, check.allowed, check.figures());
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
                violations,
                List.copyOf(examples),
                tightest,
                isLevel ? peak : units,
                isLevel ? allowedBefore.max(allowedNow) : allowedBefore.add(allowedNow));
    }
}
