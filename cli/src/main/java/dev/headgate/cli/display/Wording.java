package dev.headgate.cli.display;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** Figures in words for people. */
public final class Wording {
    private Wording() {}

    /** {@code 41 ms}, {@code 6.9 s}, {@code 30 s}, {@code 2 m 3 s}, {@code 3 h 5 m}, {@code 4 d 2 h}. */
    public static String span(Duration span) {
        long millis = span.abs().toMillis();
        String sign = span.isNegative() && millis > 0 ? "-" : "";
        if (millis < 1_000) {
            return sign + millis + " ms";
        }
        if (millis < 60_000) {
            long tenths = millis / 100;
            return sign + tenths / 10 + (tenths % 10 == 0 ? "" : "." + tenths % 10) + " s";
        }
        long seconds = millis / 1_000;
        if (seconds < 3_600) {
            return sign + pair(seconds / 60, "m", seconds % 60, "s");
        }
        long minutes = seconds / 60;
        return sign
                + (minutes < 24 * 60
                        ? pair(minutes / 60, "h", minutes % 60, "m")
                        : pair(minutes / (24 * 60), "d", minutes / 60 % 24, "h"));
    }

    private static String pair(long large, String largeUnit, long small, String smallUnit) {
        return small == 0 ? large + " " + largeUnit : large + " " + largeUnit + " " + small + " " + smallUnit;
    }

    /** {@code 6.9 s ago}, {@code in 2 m}, seen from {@code now}. */
    public static String from(Instant now, Instant then) {
        Duration passed = Duration.between(then, now);
        return passed.isNegative() ? "in " + span(passed.negated()) : span(passed) + " ago";
    }

    /** {@code 1 job}, {@code 2 jobs}. */
    public static String count(long number, String noun) {
        return String.format(Locale.ROOT, "%,d %s%s", number, noun, number == 1 ? "" : "s");
    }

    /** The name of an enum constant as a word: {@code never fits}. */
    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
