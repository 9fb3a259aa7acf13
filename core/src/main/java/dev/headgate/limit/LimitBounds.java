package dev.headgate.limit;

import dev.headgate.internal.time.Micros;
import java.time.Duration;

/** The bounds that all limits share; inside them no sum or product of admission overflows. */
final class LimitBounds {
    static final long COUNT_MAX = Limit.COUNT_MAX;
    private static final Duration PER_MAX = Duration.ofDays(366);

    private LimitBounds() {}

    static void checkCount(String kind, long count) {
        if (count < 1 || count > COUNT_MAX) {
            throw new IllegalArgumentException(
                    "%s: expected a count from 1 to %d, got %d".formatted(kind, COUNT_MAX, count));
        }
    }

    static void checkPeriod(String kind, long count, Duration per) {
        if (per.isNegative() || per.isZero() || per.compareTo(PER_MAX) > 0 || Micros.of(per) == 0) {
            throw new IllegalArgumentException(
                    "%s %d: expected a period from 1 microsecond to 366 days, got %s; try a minute: per(Duration.ofMinutes(1)), as text %s %d/1m"
                            .formatted(kind, count, per, kind, count));
        }
    }

    /** Limits of jobs ({@code j}) and limits of cost ({@code c}) count apart. */
    static String unit(boolean isByCost) {
        return isByCost ? "c" : "j";
    }
}
