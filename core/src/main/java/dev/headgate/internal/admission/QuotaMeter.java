package dev.headgate.internal.admission;

import dev.headgate.internal.admission.InUse.KeptFree;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Quota;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * What is used of the calendar period that ends at {@code until}, and of its neighbours. With a margin a start counts
 * in every period in which its call may be counted: from its grant to its latest instant, and {@link #SKEW} further on
 * both sides, because the provider has a clock of its own.
 */
final class QuotaMeter extends TimedMeter {
    /** How far the provider's clock may be off. */
    static final long SKEW = 2 * Micros.PER_SECOND;

    private final Quota limit;
    private final long count;
    private final long skew;
    private long since;

    private long until;

    private long spent;
    private long spentBefore;
    private long spentNext;

    QuotaMeter(Quota limit) {
        super(limit, limit.isByCost());
        this.limit = limit;
        this.count = limit.count();
        this.skew = margin == 0 ? 0 : SKEW;
    }

    @Override
    Limit limit() {
        return limit;
    }

    @Override
    long opens(long clock, long cost, InUse inUse, KeptFree reserved) {
        long units = unitsOf(cost);
        if (units == 0) {
            return clock;
        }
        if (units > count) {
            return NEVER;
        }
        long wanted = units + (isByCost ? reserved.units() : reserved.leases());
        if (wanted > count) {
            return UNTIL_RELEASE;
        }
        if (clock < until) {
            return opens(clock, count - wanted, open(inUse));
        }
        QuotaMeter later = (QuotaMeter) copy();
        later.enter(clock);
        return later.opens(clock, count - wanted, open(inUse));
    }

    /** A start whose handler has not ended may count in every period that may be current, so it counts in each. */
    private long opens(long clock, long room, long open) {
        boolean isNextTouched = skew > 0 && clock + (isOpen() ? 0 : margin) + skew >= until;
        if (spent > room || (isNextTouched && spentNext + open > room)) {
            return until;
        }
        if (clock - skew < since && spentBefore + open > room) {
            return since + skew;
        }
        return spent + open > room ? UNTIL_RELEASE : clock;
    }

    @Override
    long used(long clock, InUse inUse) {
        return (clock < until ? spent : 0) + open(inUse);
    }

    @Override
    long most() {
        return count;
    }

    @Override
    String figures(long clock, long cost, InUse inUse) {
        return "%d of %d spent%s this %s"
                .formatted(
                        used(clock, inUse),
                        count,
                        isOpen() ? " or running" : "",
                        limit.period().text());
    }

    @Override
    void take(Start start, long cost) {
        if (until == 0) {
            first = start.at();
        }
        enter(start.at());
        if (!isOpen()) {
            charge(start.at(), latest(start), unitsOf(cost));
        }
    }

    /** Moves on to the period of this instant, if the last one is over. */
    private void enter(long clock) {
        if (clock < until) {
            return;
        }
        long end = until == 0 ? 0 : edgeAfter(limit.period(), limit.zone(), until);
        boolean isNext = clock < end;
        since = isNext ? until : edgeBefore(limit.period(), limit.zone(), clock);
        until = isNext ? end : edgeAfter(limit.period(), limit.zone(), clock);
        spentBefore = isNext ? spent : 0;
        spent = isNext ? spentNext : 0;
        spentNext = 0;
    }

    /** Adds units to every period that a call in this interval may count in. */
    private void charge(long from, long to, long units) {
        if (from - skew < since && to + skew >= edgeBefore(limit.period(), limit.zone(), since - 1)) {
            spentBefore = bounded(spentBefore + units);
        }
        if (from - skew < until && to + skew >= since) {
            spent = bounded(spent + units);
        }
        if (to + skew >= until) {
            spentNext = bounded(spentNext + units);
        }
    }

    private static long bounded(long units) {
        return Math.clamp(units, 0, FAR / 2);
    }

    @Override
    void record(long instant, long units) {
        enter(instant);
        charge(instant, instant, units);
    }

    @Override
    void ended(Start start, long cost, long clock) {
        if (isOpen()) {
            enter(clock);
            charge(start.at(), clock, unitsOf(cost));
        } else if (latest(start) > clock && isCounted(start)) {
            enter(clock);
            charge(start.at(), latest(start), -unitsOf(cost));
            charge(start.at(), clock, unitsOf(cost));
        }
    }

    @Override
    void giveUp(Start start, long cost, long clock) {
        if (!isOpen() && isCounted(start)) {
            enter(clock);
            charge(start.at(), latest(start), -unitsOf(cost));
        }
    }

    /** A debt is spent in the period in which it becomes known; a refund goes to its start's period or is lost. */
    @Override
    void settle(long charged, long actual, Start start, long clock) {
        if (!isByCost || isOpen()) {
            return;
        }
        enter(clock);
        if (!isCounted(start)) {
            charge(clock, clock, Math.clamp(actual - charged, 0, FAR / 4));
        } else if (actual < charged || latest(start) > clock) {
            charge(start.at(), latest(start), Math.min(FAR / 4, actual - charged));
        } else {
            charge(clock, clock, Math.min(FAR / 4, actual - charged));
        }
    }

    @Override
    void exhaust(long clock) {
        until = 0;
        first = clock;
        enter(clock);
        spent = count;
    }

    @Override
    boolean isAsNew(long clock) {
        QuotaMeter then = (QuotaMeter) copy();
        then.enter(clock);
        boolean isBeforeOver = then.spentBefore == 0 || clock - skew >= then.since;
        return then.spent + then.spentNext == 0 && isBeforeOver;
    }

    @Override
    void read(String memory, long seen) {
        int dash = memory.indexOf('-');
        int star = memory.indexOf('*');
        String[] counts = memory.substring(star + 1).split(",", -1);
        since = Long.parseLong(memory.substring(0, dash));
        until = Long.parseLong(memory.substring(dash + 1, star));
        spent = Long.parseLong(counts[0]);
        spentBefore = counts.length < 3 ? 0 : Long.parseLong(counts[1]);
        spentNext = counts.length < 3 ? 0 : Long.parseLong(counts[2]);
        first = counts.length < 4 ? since : Long.parseLong(counts[3]);
        if (since > until || Math.min(spent, Math.min(spentBefore, spentNext)) < 0) {
            throw new IllegalArgumentException("quota: expected since <= until and spent >= 0, got " + memory);
        }
    }

    /** What the other period has used so far counts as used in this one. */
    @Override
    void carryOver(Meter other, long seen) {
        QuotaMeter old = (QuotaMeter) other;
        takeOver(old);
        if (seen < old.until && old.spent > spent) {
            until = 0;
            first = old.first;
            enter(seen);
            spent = old.spent;
        }
    }

    @Override
    @Nullable
    String write(long seen) {
        if (seen >= until && spent + spentNext == 0) {
            return null;
        }
        boolean isWithin = first > since;
        boolean isBeside = isWithin || spentBefore > 0 || spentNext > 0;
        return since + "-" + until + "*" + spent
                + (isBeside ? "," + spentBefore + "," + spentNext : "")
                + (isWithin ? "," + first : "");
    }

    @Override
    Meter copy() {
        QuotaMeter copy = new QuotaMeter(limit);
        copy.since = since;
        copy.until = until;
        copy.first = first;
        copy.spent = spent;
        copy.spentBefore = spentBefore;
        copy.spentNext = spentNext;
        return copy;
    }

    /** The calendar edge at which the period of this instant began. */
    private static long edgeBefore(Quota.Period period, ZoneId zone, long clock) {
        return Micros.of(begin(period, LocalDateTime.ofInstant(Micros.instant(clock), zone))
                .atZone(zone)
                .toInstant());
    }

    private static LocalDateTime begin(Quota.Period period, LocalDateTime label) {
        return switch (period) {
            case HOUR -> label.truncatedTo(ChronoUnit.HOURS);
            case DAY -> label.truncatedTo(ChronoUnit.DAYS);
            case MONTH -> label.truncatedTo(ChronoUnit.DAYS).withDayOfMonth(1);
        };
    }

    /**
     * The next calendar edge: the first instant at which a local clock shows the next full hour, midnight or first of
     * the month. Where a clock change skips that local time, the instant of the change; where it repeats it, the first.
     */
    static long edgeAfter(Quota.Period period, ZoneId zone, long clock) {
        Instant now = Micros.instant(clock);
        LocalDateTime label = begin(period, LocalDateTime.ofInstant(now, zone));
        Instant edge;
        do {
            label = switch (period) {
                case HOUR -> label.plusHours(1);
                case DAY -> label.plusDays(1);
                case MONTH -> label.plusMonths(1);
            };
            edge = label.atZone(zone).toInstant();
        } while (!edge.isAfter(now));
        return Micros.of(edge);
    }
}
