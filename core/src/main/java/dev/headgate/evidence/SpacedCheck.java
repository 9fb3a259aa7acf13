package dev.headgate.evidence;

import dev.headgate.admission.Limit;
import dev.headgate.admission.Micros;
import dev.headgate.admission.Spaced;
import dev.headgate.admission.Spans;
import dev.headgate.store.JournalTable.Entry;
import java.math.BigInteger;

/**
 * Two starts are {@code per / count} apart; by cost, a start keeps the next one off for that time per unit. Jobs of no
 * cost do not count, and a batch does not tell what each of its jobs cost: by cost, a batch is taken for one job.
 */
final class SpacedCheck extends Check {
    private Spaced limit;
    private long at = UNKNOWN;
    private long units;

    SpacedCheck(Spaced limit) {
        this.limit = limit;
    }

    @Override
    long amount(Entry batch) {
        return limit.isByCost() ? batch.units() : batch.starts();
    }

    /** What the last start needs before the next one. */
    private long needed() {
        return Exact.ceil(units, Micros.of(limit.per()), limit.count());
    }

    private boolean isFree(long now) {
        return at == UNKNOWN || now - at >= needed();
    }

    @Override
    boolean start(Entry batch) {
        boolean isCrowd = !limit.isByCost() && batch.starts() > 1;
        boolean isJudged = at != UNKNOWN || isCrowd;
        since = at == UNKNOWN || isCrowd ? batch.at() : at;
        allowed = batch.at() - since;
        units = isCrowd ? 1 : units;
        used = isJudged ? needed() : 0;
        at = batch.at();
        units = limit.isByCost() ? batch.units() : 1;
        return isJudged;
    }

    @Override
    void settle(Entry settled) {
        if (!limit.isByCost()) {
            return;
        }
        boolean isDebt = settled.units() > 0;
        if (isDebt && isFree(settled.at())) {
            at = settled.at();
            units = settled.units();
        } else if (isDebt || settled.startedAt() == at) {
            units = Math.max(0, units + settled.units());
        }
    }

    @Override
    void clear() {
        at = UNKNOWN;
        units = 0;
    }

    @Override
    void change(Limit to) {
        limit = (Spaced) to;
    }

    @Override
    long possibleAt(long amount) {
        return at == UNKNOWN ? UNKNOWN : at + needed();
    }

    @Override
    String figures() {
        return "%s after the start before, at least %s"
                .formatted(Spans.text(Micros.duration(allowed)), Spans.text(Micros.duration(used)));
    }

    @Override
    BigInteger allowance(long first, long last, long lastAmount, long periods) {
        return Exact.floor(Exact.product(last - first, limit.count()), Micros.of(limit.per()))
                .add(BigInteger.valueOf(lastAmount));
    }
}
