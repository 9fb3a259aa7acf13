package dev.headgate.schedule;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds numbers and ranges of a cron expression that cannot be, before the cron library sees them. Other faults are left to it. */
final class CronFields {
    private static final List<String> MONTHS =
            List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");
    private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");
    private static final int DIGITS_MAX = 9;

    private static final Field SECOND = new Field("second", 0, 59, List.of());
    private static final List<Field> FIELDS = List.of(
            new Field("minute", 0, 59, List.of()),
            new Field("hour", 0, 23, List.of()),
            new Field("day of the month", 1, 31, List.of()),
            new Field("month", 1, 12, MONTHS),
            new Field("day of the week", 0, 7, DAYS));

    private CronFields() {}

    /** @param names of its values, from {@code first} on */
    private record Field(String name, int first, int last, List<String> names) {
        private @Nullable Integer value(String text) {
            int named = names.indexOf(text.toUpperCase(Locale.ROOT));
            if (named >= 0) {
                return first + named;
            }
            boolean isNumber = !text.isEmpty()
                    && text.length() <= DIGITS_MAX
                    && text.chars().allMatch(c -> c >= '0' && c <= '9');
            return isNumber ? Integer.valueOf(text) : null;
        }

        private @Nullable String faultOf(String part) {
            String[] step = part.split("/", 2);
            Integer every = step.length == 2 ? value(step[1]) : null;
            if (every != null && every == 0) {
                return "expected a step of 1 or more for the %s, got %s".formatted(name, part);
            }
            String[] ends = step[0].split("-", 2);
            for (String end : ends) {
                Integer value = value(end);
                if (value != null && (value < first || value > last)) {
                    return "expected %s %s from %d to %d, got %s"
                            .formatted(name.startsWith("h") ? "an" : "a", name, first, last, end);
                }
            }
            Integer from = ends.length == 2 ? value(ends[0]) : null;
            Integer to = ends.length == 2 ? value(ends[1]) : null;
            if (from == null || to == null || from <= to) {
                return null;
            }
            return "expected a range of the %s that rises, got %s; try %d-%d,%d-%d"
                    .formatted(name, step[0], from, last, first, to);
        }
    }

    /** @throws IllegalArgumentException that says what is wrong, if something is */
    static void check(String given, String[] fields) {
        int seconds = fields.length - FIELDS.size();
        for (int i = 0; i < fields.length; i++) {
            Field field = i < seconds ? SECOND : FIELDS.get(i - seconds);
            for (String part : fields[i].split(",", -1)) {
                String fault = field.faultOf(part);
                if (fault != null) {
                    throw new IllegalArgumentException("cron '%s': %s".formatted(given, fault));
                }
            }
        }
    }
}
