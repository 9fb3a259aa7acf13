package dev.headgate.schedule;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Times of a calendar in a zone.
 *
 * <p>Design note: when clocks change. The cron library is asked in local time only, where nothing ever changes; asked in a
 * zone, it leaves a day out whose time falls into the gap, and runs the quarters of a named hour twice. What a local time
 * means is decided here. An expression that names hours means times of the day: each of them comes once, at
 * the first of two if it comes twice, and right after the gap if it does not come at all. An expression that goes for
 * every hour means a beat: it follows the clock on the wall through both passes of an hour, and makes up for nothing.
 */
record CronTiming(String expression, ZoneId zone) implements Schedule.Timing {
    static final String KIND = "cron";
    private static final String IN = " in ";
    private static final int HINTS_MAX = 3;

    CronTiming {
        expression = LocalCron.of(expression).expression();
    }

    static CronTiming parse(String text) {
        int at = text.lastIndexOf(IN);
        return at < 0
                ? new CronTiming(text, ZoneOffset.UTC)
                : new CronTiming(text.substring(0, at), zone(text.substring(at + IN.length())));
    }

    /** A zone by its name; a name that no zone has is told with names that come near. */
    static ZoneId zone(String name) {
        try {
            return name.equals("UTC") || name.equals("Z") ? ZoneOffset.UTC : ZoneId.of(name);
        } catch (DateTimeException unknown) {
            throw new IllegalArgumentException(
                    "zone: expected a name such as Europe/Berlin or UTC, got '%s'%s".formatted(name, hint(name)),
                    unknown);
        }
    }

    private static String hint(String name) {
        String wanted = name.strip().toLowerCase(Locale.ROOT).replace(' ', '_');
        List<String> near = wanted.isEmpty()
                ? List.of()
                : ZoneId.getAvailableZoneIds().stream()
                        .filter(id -> id.toLowerCase(Locale.ROOT).contains(wanted))
                        .sorted()
                        .limit(HINTS_MAX)
                        .toList();
        return near.isEmpty() ? "" : "; did you mean %s?".formatted(String.join(" or ", near));
    }

    @Override
    public @Nullable Instant after(Instant instant) {
        LocalCron cron = LocalCron.of(expression);
        return cron.isEveryHour() ? beatAfter(cron, instant) : timeAfter(cron, instant);
    }

    private @Nullable Instant timeAfter(LocalCron cron, Instant instant) {
        ZoneRules rules = zone.getRules();
        LocalDateTime local = cron.after(LocalDateTime.ofInstant(instant, rules.getOffset(instant)));
        // In the second pass of an hour, times of that hour have come already.
        while (local != null && !meant(rules, local).isAfter(instant)) {
            local = cron.after(local);
        }
        return local == null ? null : meant(rules, local);
    }

    /** When a local time comes: never earlier for a later one. */
    private static Instant meant(ZoneRules rules, LocalDateTime local) {
        ZoneOffsetTransition change = rules.getTransition(local);
        if (change != null && change.isGap()) {
            return change.getInstant();
        }
        return local.toInstant(change == null ? rules.getOffset(local) : change.getOffsetBefore());
    }

    private @Nullable Instant beatAfter(LocalCron cron, Instant instant) {
        ZoneRules rules = zone.getRules();
        ZoneOffset offset = rules.getOffset(instant);
        LocalDateTime local = LocalDateTime.ofInstant(instant, offset);
        Instant from = instant;
        while (true) {
            LocalDateTime next = cron.after(local);
            if (next == null) {
                return null;
            }
            ZoneOffsetTransition change = rules.nextTransition(from);
            Instant at = next.toInstant(offset);
            if (change == null || at.isBefore(change.getInstant())) {
                return at;
            }
            from = change.getInstant();
            offset = change.getOffsetAfter();
            local = change.getDateTimeAfter().minusSeconds(1); // the first moment after the change counts too
        }
    }

    @Override
    public String text() {
        return "%s %s%s%s".formatted(KIND, expression, IN, zone.equals(ZoneOffset.UTC) ? "UTC" : zone.getId());
    }
}
