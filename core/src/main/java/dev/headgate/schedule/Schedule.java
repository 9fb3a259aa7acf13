package dev.headgate.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When work recurs, and what happens to runs that were missed or would overlap. Immutable.
 *
 * <pre>{@code
 * Schedule.cron("0 3 * * *", "Europe/Berlin")                 // at three in the night there, summer and winter
 * Schedule.cron("30 * * * * *").overlap(Overlap.SKIP)         // half past every minute, unless one still runs
 * Schedule.every(ofMinutes(5)).missed(Missed.SKIP)
 * Schedule.once(Instant.parse("2030-01-31T09:00:00Z"))
 * }</pre>
 */
public record Schedule(Timing timing, Missed missed, Overlap overlap) {
    private static Schedule of(Timing timing) {
        return new Schedule(timing, Missed.ONE, Overlap.ALLOW);
    }

    /** A cron expression in UTC; see {@link #cron(String, String)}. */
    public static Schedule cron(String expression) {
        return cron(expression, "UTC");
    }

    /**
     * A cron expression in a zone: minute, hour, day of the month, month, day of the week, and if there are six fields,
     * seconds in front. Days of the week are {@code MON} to {@code SUN}, or 0 to 7, where both 0 and 7 are Sunday; if the
     * day of the month and the day of the week are both restricted, either will do. {@code @hourly}, {@code @daily},
     * {@code @weekly}, {@code @monthly} and {@code @yearly} are known too.
     *
     * <p>When clocks change: a time that is left out comes right after the gap, and one that comes twice counts the first
     * time; an expression that goes for every hour just follows the clock.
     *
     * @param zone such as {@code Europe/Berlin}
     * @throws IllegalArgumentException if the expression is wrong or there is no such zone
     */
    public static Schedule cron(String expression, String zone) {
        return of(new CronTiming(expression, CronTiming.zone(zone)));
    }

    /** The same with a zone that was looked up before. */
    public static Schedule cron(String expression, ZoneId zone) {
        return of(new CronTiming(expression, zone));
    }

    /**
     * At equal distances, counted from 1970 in UTC: every five minutes is at :00, :05 and so on, on every machine and after
     * every restart. A second or more.
     */
    public static Schedule every(Duration span) {
        return every(span, Instant.EPOCH);
    }

    /** At equal distances from this instant on, which is the first. */
    public static Schedule every(Duration span, Instant from) {
        return of(new EveryTiming(span, from));
    }

    /** At one instant only. If that is past, it counts as missed. */
    public static Schedule once(Instant at) {
        return of(new OnceTiming(at));
    }

    /**
     * The same times of a calendar, in another zone.
     *
     * @throws IllegalArgumentException if this is no cron expression, or there is no such zone
     */
    public Schedule in(String zone) {
        if (!(timing instanceof CronTiming cron)) {
            throw new IllegalArgumentException(
                    "zone: expected a cron expression, whose times depend on one, got '%s'".formatted(timing.text()));
        }
        return new Schedule(new CronTiming(cron.expression(), CronTiming.zone(zone)), missed, overlap);
    }

    /** The zone of a cron expression; anything else is in none. */
    public Optional<ZoneId> zone() {
        return timing instanceof CronTiming cron ? Optional.of(cron.zone()) : Optional.empty();
    }

    /** What becomes of runs that were due while no worker ran. Default: {@link Missed#ONE}. */
    public Schedule missed(Missed policy) {
        return new Schedule(timing, policy, overlap);
    }

    /** What becomes of a run while an earlier one has not ended. Default: {@link Overlap#ALLOW}. */
    public Schedule overlap(Overlap policy) {
        return new Schedule(timing, missed, policy);
    }

    /** Where a schedule begins that is made at this moment: a single instant that is past still lies ahead of that. */
    public Instant beginning(Instant now) {
        return timing instanceof OnceTiming once && !once.at().isAfter(now)
                ? once.at().minusNanos(1_000)
                : now;
    }

    /** Up to {@code most} instants after this one. */
    public List<Instant> next(Instant after, int most) {
        List<Instant> runs = new ArrayList<>();
        Instant at = timing.after(after);
        while (at != null && runs.size() < most) {
            runs.add(at);
            at = timing.after(at);
        }
        return runs;
    }

    /**
     * The instants of a schedule. They follow from the timing alone and not from when runs were started or ended, so they
     * never drift.
     */
    public sealed interface Timing permits CronTiming, EveryTiming, OnceTiming {
        /** The first instant after this one; absent if there is none. */
        @Nullable
        Instant after(Instant instant);

        /** A form that {@link #parse} reads back: {@code cron 0 3 * * * in Europe/Berlin}, {@code every 5m}, {@code once …}. */
        String text();

        /**
         * Reads what {@link #text} wrote.
         *
         * @throws IllegalArgumentException if it means nothing, or nothing any more: zones may cease to exist
         */
        static Timing parse(String text) {
            int space = text.indexOf(' ');
            String kind = space < 0 ? text : text.substring(0, space);
            String rest = space < 0 ? "" : text.substring(space + 1).strip();
            return switch (kind) {
                case CronTiming.KIND -> CronTiming.parse(rest);
                case EveryTiming.KIND -> EveryTiming.parse(rest);
                case OnceTiming.KIND -> OnceTiming.parse(rest);
                default ->
                    throw new IllegalArgumentException(
                            "timing: expected 'cron … in ZONE', 'every SPAN' or 'once INSTANT', got '%s'"
                                    .formatted(text));
            };
        }
    }

    /** What came of putting a schedule. */
    public enum PutResult {
        CREATED,
        CHANGED,
        /** It was stored like this already. */
        UNCHANGED
    }
}
