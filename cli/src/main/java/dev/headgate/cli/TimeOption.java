package dev.headgate.cli;

import dev.headgate.limit.Spans;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Locale;

/** A time as a person gives it to a command: {@code now}, a span from now such as {@code 5m}, or a date and time. */
public sealed interface TimeOption {
    /** Counted from now, by the clock that reads it. */
    record In(Duration span) implements TimeOption {}

    record At(Instant instant) implements TimeOption {}

    /** The instant, if it is {@code now}. */
    default Instant from(Instant now) {
        return switch (this) {
            case In(Duration span) -> now.plus(span);
            case At(Instant instant) -> instant;
        };
    }

    static TimeOption parse(String text) {
        String compact = text.strip();
        if (compact.toLowerCase(Locale.ROOT).equals("now")) {
            return new In(Duration.ZERO);
        }
        if (compact.indexOf('-') > 0) {
            return new At(instant(text, compact));
        }
        try {
            return new In(Spans.parse(compact.startsWith("+") ? compact.substring(1) : compact));
        } catch (IllegalArgumentException notASpan) {
            throw unreadable(text);
        }
    }

    private static Instant instant(String text, String compact) {
        String joined = compact.replace(' ', 'T');
        try {
            boolean hasOffset = joined.toUpperCase(Locale.ROOT).endsWith("Z")
                    || joined.lastIndexOf('+') > 10
                    || joined.lastIndexOf('-') > 10;
            return hasOffset
                    ? OffsetDateTime.parse(joined).toInstant()
                    : LocalDateTime.parse(joined).atZone(ZoneId.systemDefault()).toInstant();
        } catch (DateTimeException notADate) {
            throw unreadable(text);
        }
    }

    private static IllegalArgumentException unreadable(String text) {
        return new IllegalArgumentException(
                "time: expected now, a span such as 5m, or a date such as 2030-01-31T09:00 (local) or 2030-01-31T09:00:00Z, got '%s'"
                        .formatted(text));
    }
}
