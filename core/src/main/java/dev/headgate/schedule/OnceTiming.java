package dev.headgate.schedule;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** A single instant. */
record OnceTiming(Instant at) implements Schedule.Timing {
    static final String KIND = "once";
    private static final Instant MIN = Instant.EPOCH;
    private static final Instant MAX = Instant.parse("9999-01-01T00:00:00Z");

    OnceTiming {
        checkInstant("once", at);
        at = at.truncatedTo(ChronoUnit.MICROS);
    }

    static void checkInstant(String what, Instant instant) {
        if (instant.isBefore(MIN) || !instant.isBefore(MAX)) {
            throw new IllegalArgumentException(
                    "%s: expected an instant from %s to %s, got %s".formatted(what, MIN, MAX, instant));
        }
    }

    static OnceTiming parse(String text) {
        return new OnceTiming(instant(text));
    }

    static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException unreadable) {
            throw new IllegalArgumentException(
                    "instant: expected a form such as 2030-01-31T09:00:00Z, got '%s'".formatted(text), unreadable);
        }
    }

    @Override
    public @Nullable Instant after(Instant instant) {
        return at.isAfter(instant) ? at : null;
    }

    @Override
    public String text() {
        return "%s %s".formatted(KIND, at);
    }
}
