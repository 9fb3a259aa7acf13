package dev.headgate.schedule;

import com.cronutils.model.Cron;
import com.cronutils.model.definition.CronDefinition;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A cron expression on a clock that never changes, by the cron library. Five fields as in Unix, or six with seconds in
 * front; days of the week are counted as in Unix either way, 0 and 7 being Sunday. If both the day of the month and the
 * day of the week are restricted, either will do. {@code L} and {@code #} are known. {@code W} is not: the library fails
 * on it in months that are too short, years after the expression was taken.
 */
final class LocalCron {
    private static final CronParser MINUTES = new CronParser(definition(false));
    private static final CronParser SECONDS = new CronParser(definition(true));
    private static final Map<String, String> NICKNAMES = Map.of(
            "@yearly", "0 0 1 1 *",
            "@annually", "0 0 1 1 *",
            "@monthly", "0 0 1 * *",
            "@weekly", "0 0 * * 0",
            "@daily", "0 0 * * *",
            "@midnight", "0 0 * * *",
            "@hourly", "0 * * * *");

    /** To take an expression apart costs more than to ask it for its next time. */
    private static final Map<String, LocalCron> KNOWN = new ConcurrentHashMap<>();

    private static final int KNOWN_MAX = 1_000;
    private static final int LENGTH_MAX = 200;

    private final String expression;
    private final ExecutionTime times;
    private final boolean isEveryHour;

    private LocalCron(String expression, ExecutionTime times, boolean isEveryHour) {
        this.expression = expression;
        this.times = times;
        this.isEveryHour = isEveryHour;
    }

    private static CronDefinition definition(boolean hasSeconds) {
        CronDefinitionBuilder fields = CronDefinitionBuilder.defineCron();
        if (hasSeconds) {
            fields = fields.withSeconds().withStrictRange().and();
        }
        return fields.withMinutes()
                .withStrictRange()
                .and()
                .withHours()
                .withStrictRange()
                .and()
                .withDayOfMonth()
                .supportsL()
                .withStrictRange()
                .and()
                .withMonth()
                .withStrictRange()
                .and()
                .withDayOfWeek()
                .withValidRange(0, 7)
                .withMondayDoWValue(1)
                .withIntMapping(7, 0)
                .supportsHash()
                .supportsL()
                .withStrictRange()
                .and()
                .instance();
    }

    /**
     * Takes an expression apart.
     *
     * @throws IllegalArgumentException that says what is wrong with it
     */
    static LocalCron of(String given) {
        LocalCron known = KNOWN.get(given);
        if (known == null) {
            known = read(given);
            if (KNOWN.size() >= KNOWN_MAX) {
                KNOWN.clear();
            }
            KNOWN.put(given, known);
        }
        return known;
    }

    private static LocalCron read(String given) {
        if (given.length() > LENGTH_MAX) {
            throw new IllegalArgumentException(
                    "cron: expected at most %d characters, got %d".formatted(LENGTH_MAX, given.length()));
        }
        String expression = given.strip().replaceAll("\\s+", " ");
        String spelled = NICKNAMES.getOrDefault(expression, expression);
        if (spelled.startsWith("@")) {
            throw new IllegalArgumentException("cron '%s': expected one of %s, or five or six fields"
                    .formatted(given, NICKNAMES.keySet().stream().sorted().toList()));
        }
        String[] fields = spelled.replace('?', '*').split(" ", -1);
        if (fields.length != 5 && fields.length != 6) {
            throw new IllegalArgumentException(
                    "cron '%s': expected 5 fields (minute hour day month weekday) or 6 (second in front), got %d"
                            .formatted(given, spelled.isEmpty() ? 0 : fields.length));
        }
        CronFields.check(given, fields);
        ExecutionTime times = times(given, String.join(" ", fields));
        String hours = fields[fields.length - 4];
        return new LocalCron(expression, times, isEveryHour(times(given, "0 %s * * *".formatted(hours))));
    }

    private static ExecutionTime times(String given, String spelled) {
        try {
            Cron cron = (spelled.chars().filter(c -> c == ' ').count() == 4 ? MINUTES : SECONDS).parse(spelled);
            return ExecutionTime.forCron(cron);
        } catch (RuntimeException wrong) {
            String why = String.valueOf(wrong.getMessage()).replace("Failed to parse cron expression. ", "");
            throw new IllegalArgumentException(
                    "cron '%s': expected fields such as 30, *, 1-5, 1,15 or */10, got one that is wrong: %s"
                            .formatted(given, why),
                    wrong);
        }
    }

    private static boolean isEveryHour(ExecutionTime times) {
        ZonedDateTime midnight = ZonedDateTime.of(2024, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC);
        return IntStream.range(0, 24).allMatch(hour -> times.isMatch(midnight.plusHours(hour)));
    }

    /** As it was given, but for white space. */
    String expression() {
        return expression;
    }

    /** Whether it goes for every hour of the day. */
    boolean isEveryHour() {
        return isEveryHour;
    }

    /** The first time after this one; absent if there is none. */
    @Nullable
    LocalDateTime after(LocalDateTime local) {
        // The library counts in seconds; what is left of a second lies before the next of them.
        ZonedDateTime from = local.truncatedTo(ChronoUnit.SECONDS).atZone(ZoneOffset.UTC);
        return times.nextExecution(from).map(ZonedDateTime::toLocalDateTime).orElse(null);
    }
}
