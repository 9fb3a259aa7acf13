package dev.headgate.limit;

import dev.headgate.internal.time.Micros;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 500ms}, {@code 2s}, {@code 1m}, {@code 1h30m}, {@code 1d}. */
public final class Spans {
    private static final Pattern PART = Pattern.compile("(\\d{1,9})(ms|us|s|m|h|d)");
    private static final Pattern UNIT = Pattern.compile("ms|us|s|m|h|d");

    private static final Duration MAX = Duration.ofDays(100_000_000);

    private Spans() {}

    public static Duration parse(String text) {
        String compact = text.strip().toLowerCase(Locale.ROOT);
        if (compact.startsWith("p")) {
            return parseIso(text, compact);
        }
        Matcher part = PART.matcher(compact);
        Duration total = Duration.ZERO;
        int end = 0;
        while (part.find() && part.start() == end) {
            total = bounded(total.plus(unit(Long.parseLong(part.group(1)), part.group(2))));
            end = part.end();
        }
        if (end == 0 || end != compact.length()) {
            throw unreadable(text);
        }
        return total;
    }

    /** The same for the text behind a slash, where {@code 5/s} means {@code 5/1s}. */
    public static Duration parsePeriod(String text) {
        String compact = text.strip().toLowerCase(Locale.ROOT);
        return parse(UNIT.matcher(compact).matches() ? "1" + compact : text);
    }

    /** The shortest exact form that {@link #parse} reads back. */
    public static String text(Duration span) {
        long micros = Micros.of(span);
        if (micros == 0) {
            return "0s";
        }
        StringBuilder text = new StringBuilder(micros < 0 ? "-" : "");
        long rest = Math.abs(micros);
        rest = append(text, rest, 86_400 * Micros.PER_SECOND, "d");
        rest = append(text, rest, 3_600 * Micros.PER_SECOND, "h");
        rest = append(text, rest, 60 * Micros.PER_SECOND, "m");
        rest = append(text, rest, Micros.PER_SECOND, "s");
        rest = append(text, rest, 1_000, "ms");
        append(text, rest, 1, "us");
        return text.toString();
    }

    private static long append(StringBuilder text, long rest, long unit, String name) {
        if (rest >= unit) {
            text.append(rest / unit).append(name);
        }
        return rest % unit;
    }

    private static Duration unit(long amount, String unit) {
        return switch (unit) {
            case "us" -> Duration.ofNanos(amount * 1_000);
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }

    /**
     * Refuses here what does not fit into whole microseconds; otherwise arithmetic would fail somewhere else, later.
     */
    private static Duration bounded(Duration span) {
        if (span.isNegative() || span.compareTo(MAX) > 0) {
            throw new IllegalArgumentException(
                    "duration: expected zero to %s, got %s".formatted(text(MAX), span.isNegative() ? "less" : "more"));
        }
        return span;
    }

    private static Duration parseIso(String text, String compact) {
        try {
            return bounded(Duration.parse(compact));
        } catch (java.time.format.DateTimeParseException notIso) {
            throw unreadable(text);
        }
    }

    private static IllegalArgumentException unreadable(String text) {
        return new IllegalArgumentException(
                "duration: expected a form such as 500ms, 2s, 1m, 1h30m or 1d, got '%s'".formatted(text));
    }
}
