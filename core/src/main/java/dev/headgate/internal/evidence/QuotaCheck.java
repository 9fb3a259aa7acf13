package dev.headgate.internal.evidence;

import dev.headgate.internal.time.Micros;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Quota;
import dev.headgate.spi.JournalTable.Entry;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;

/** Between two edges of the calendar at most {@code count}. */
final class QuotaCheck extends Check {
    private Quota limit;
    private long spent;
    private long begins = UNKNOWN;
    private long ends = UNKNOWN;

    QuotaCheck(Quota limit) {
        this.limit = limit;
    }

    @Override
    boolean isByCost() {
        return limit.isByCost();
    }

    @Override
    boolean judge(Entry batch, long open) {
        meet(batch.event().at());
        used = spent + open + amount(batch);
        allowed = limit.count();
        since = begins;
        return true;
    }

    @Override
    void spend(long at, long units) {
        meet(at);
        spent += units;
    }

    private void meet(long at) {
        if (at >= ends || at < begins) {
            enter(at);
        }
    }

    /**
     * Finds the period around an instant by walking the labels of the local calendar. A label begins at the first
     * instant that shows it; where a change of the clock shows one again, that is still the same period.
     */
    private void enter(long at) {
        Instant now = Micros.instant(at);
        LocalDateTime local = LocalDateTime.ofInstant(now, limit.zone());
        LocalDateTime label =
                switch (limit.period()) {
                    case HOUR -> local.truncatedTo(ChronoUnit.HOURS);
                    case DAY -> local.toLocalDate().atStartOfDay();
                    case MONTH -> local.toLocalDate().withDayOfMonth(1).atStartOfDay();
                };
        ChronoUnit step =
                switch (limit.period()) {
                    case HOUR -> ChronoUnit.HOURS;
                    case DAY -> ChronoUnit.DAYS;
                    case MONTH -> ChronoUnit.MONTHS;
                };
        while (!begin(label.plus(1, step)).isAfter(now)) {
            label = label.plus(1, step);
        }
        begins = Micros.of(begin(label));
        ends = Micros.of(begin(label.plus(1, step)));
        spent = 0;
    }

    private Instant begin(LocalDateTime label) {
        return label.atZone(limit.zone()).toInstant();
    }

    /** Counts if it was spent in this period. */
    @Override
    void takeOut(long from, long to, long units, long now) {
        if (to >= begins && now < ends) {
            spent = Math.max(0, spent - units);
        }
    }

    @Override
    void clear() {
        begins = ends = UNKNOWN;
    }

    @Override
    void change(Limit to) {
        limit = (Quota) to;
    }

    @Override
    long possibleAt(long amount) {
        return UNKNOWN;
    }

    @Override
    String figures() {
        return "%d of %d in the %s from %s"
                .formatted(used, allowed, limit.period().text(), Micros.instant(since));
    }

    @Override
    BigInteger allowance(long first, long last, long lastAmount, long periods) {
        return Exact.product(periods, limit.count());
    }
}
