package dev.headgate.limit;

import dev.headgate.internal.time.Micros;
import java.time.Duration;
import java.time.ZoneId;

/**
 * At most {@code count} starts (or units) per calendar period: between two midnights, firsts of the month or full hours
 * of a time zone. Days of 23 or 25 hours are days. An hour that a clock change repeats is one hour, with one quota.
 */
public record Quota(long count, Period period, ZoneId zone, boolean isByCost, Margin margin) implements Limit {
    /** The calendar period a quota is for. */
    public enum Period {
        HOUR("hour", Duration.ofHours(1)),
        DAY("day", Duration.ofHours(23)),
        MONTH("month", Duration.ofDays(28));

        private final String text;
        private final Duration shortest;

        Period(String text, Duration shortest) {
            this.text = text;
            this.shortest = shortest;
        }

        public String text() {
            return text;
        }
    }

    /** {@code quota(n)} without its period; not a limit yet. */
    public record PerStage(long count) {
        public Quota perHour(ZoneId zone) {
            return new Quota(count, Period.HOUR, zone, false);
        }

        public Quota perDay(ZoneId zone) {
            return new Quota(count, Period.DAY, zone, false);
        }

        public Quota perMonth(ZoneId zone) {
            return new Quota(count, Period.MONTH, zone, false);
        }
    }

    public Quota {
        LimitBounds.checkCount("quota", count);
        margin.check("quota %d per %s".formatted(count, period.text()), period.shortest);
    }

    public Quota(long count, Period period, ZoneId zone, boolean isByCost) {
        this(count, period, zone, isByCost, Margin.AUTO);
    }

    /** With another margin than {@link Margin#AUTO}. */
    @Override
    public Quota margin(Margin other) {
        return new Quota(count, period, zone, isByCost, other);
    }

    @Override
    public long stretchedMicros() {
        return Micros.of(period.shortest) / 2;
    }

    @Override
    public long marginMicros() {
        return margin.micros(Margin.suiting(Micros.of(period.shortest), Margin.AUTO_MAX));
    }

    /** Counts the cost of jobs instead of jobs. */
    public Quota byCost() {
        return new Quota(count, period, zone, true, margin);
    }

    @Override
    public String key() {
        return "q." + period.text() + "." + zone.getId() + "." + LimitBounds.unit(isByCost);
    }

    @Override
    public boolean isTimed() {
        return true;
    }

    @Override
    public String text() {
        return "quota " + count + "/" + period.text() + " " + zone.getId() + (isByCost ? " by-cost" : "")
                + margin.suffix();
    }
}
