package dev.headgate.admission;

import dev.headgate.admission.InUse.Aside;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** What is spent of the calendar period that ends at {@code until}. */
final class QuotaMeter extends Meter {
    private final Quota limit;
    private final long count;
    private final boolean isByCost;
    /** The first start that is counted in {@code spent}. */
    private long since;

    private long until;
    private long spent;

    QuotaMeter(Quota limit) {
        this.limit = limit;
        this.count = limit.count();
        this.isByCost = limit.isByCost();
    }

    @Override
    Limit limit() {
        return limit;
    }

    @Override
    long opens(long clock, long cost, InUse inUse, Aside aside) {
        long units = isByCost ? cost : 1;
        if (units == 0) {
            return clock;
        }
        if (units > count) {
            return NEVER;
        }
        long wanted = units + (isByCost ? aside.units() : aside.leases());
        if (wanted > count) {
            return UNTIL_RELEASE;
        }
        return clock >= until || spent + wanted <= count ? clock : until;
    }

    @Override
    String figures(long clock, long cost, InUse inUse) {
        return "%d of %d spent this %s"
                .formatted(clock >= until ? 0 : spent, count, limit.period().text());
    }

    @Override
    String never(long cost) {
        return "costs %d units, the quota is %d".formatted(cost, count);
    }

    @Override
    void take(long clock, long cost) {
        spend(clock, isByCost ? cost : 1);
    }

    private void spend(long clock, long units) {
        if (clock >= until) {
            since = clock;
            until = edgeAfter(limit.period(), limit.zone(), clock);
            spent = 0;
        }
        spent = Math.min(FAR / 2, spent + units);
    }

    /** A debt is spent in the period in which it becomes known; a refund goes to its start's period or is lost. */
    @Override
    void settle(long charged, long actual, long startedAt, long clock) {
        if (!isByCost) {
            return;
        }
        if (actual > charged) {
            spend(clock, Math.min(FAR / 4, actual - charged));
        } else if (startedAt >= since && clock < until) {
            spent = Math.max(0, spent - (charged - actual));
        }
    }

    @Override
    void exhaust(long clock) {
        until = 0;
        spend(clock, count);
    }

    @Override
    void remember(String memory, long seen) {
        int dash = memory.indexOf('-');
        int star = memory.indexOf('*');
        since = Long.parseLong(memory.substring(0, dash));
        until = Long.parseLong(memory.substring(dash + 1, star));
        spent = Long.parseLong(memory.substring(star + 1));
        if (since > until || spent < 0) {
            throw new IllegalArgumentException("quota: expected since <= until and spent >= 0, got " + memory);
        }
    }

    /** What was spent in the other period so far is spent in this one. */
    @Override
    void carryOver(Meter other, long seen) {
        QuotaMeter old = (QuotaMeter) other;
        if (seen < old.until && old.spent > spent) {
            until = 0;
            spend(seen, old.spent);
        }
    }

    @Override
    @Nullable
    String memory(long seen) {
        return seen >= until ? null : since + "-" + until + "*" + spent;
    }

    @Override
    Meter copy() {
        QuotaMeter copy = new QuotaMeter(limit);
        copy.since = since;
        copy.until = until;
        copy.spent = spent;
        return copy;
    }

    /**
     * The next calendar edge: the first instant at which a local clock shows the next full hour, midnight or first of
     * the month. Where a clock change skips that local time, the instant of the change; where it repeats it, the first.
     */
    static long edgeAfter(Quota.Period period, ZoneId zone, long clock) {
        Instant now = Micros.instant(clock);
        LocalDateTime label = LocalDateTime.ofInstant(now, zone);
        label = switch (period) {
            case HOUR -> label.truncatedTo(ChronoUnit.HOURS);
            case DAY -> label.truncatedTo(ChronoUnit.DAYS);
            case MONTH -> label.truncatedTo(ChronoUnit.DAYS).withDayOfMonth(1);
        };
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
