package dev.headgate.schedule;

import dev.headgate.internal.time.Micros;
import dev.headgate.limit.Spans;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Instants at equal distances from the first one, whatever clocks on walls do. */
record EveryTiming(Duration span, Instant from) implements Schedule.Timing {
    static final String KIND = "every";
    private static final String FROM = " from ";
    private static final Duration SPAN_MIN = Duration.ofSeconds(1);
    private static final Duration SPAN_MAX = Duration.ofDays(3_660);

    EveryTiming {
        if (span.compareTo(SPAN_MIN) < 0 || span.compareTo(SPAN_MAX) > 0) {
            throw new IllegalArgumentException(
                    "every: expected %s to %s, got %s".formatted(Spans.text(SPAN_MIN), Spans.text(SPAN_MAX), span));
        }
        OnceTiming.checkInstant("from", from);
        span = span.truncatedTo(ChronoUnit.MICROS);
        from = from.truncatedTo(ChronoUnit.MICROS);
    }

    static EveryTiming parse(String text) {
        int at = text.indexOf(FROM);
        return at < 0
                ? new EveryTiming(Spans.parse(text), Instant.EPOCH)
                : new EveryTiming(
                        Spans.parse(text.substring(0, at)), OnceTiming.instant(text.substring(at + FROM.length())));
    }

    @Override
    public Instant after(Instant instant) {
        if (instant.isBefore(from)) {
            return from;
        }
        long start = Micros.of(from);
        long step = Micros.of(span);
        long steps = Math.floorDiv(Micros.of(instant) - start, step) + 1;
        return Micros.instant(Math.addExact(start, Math.multiplyExact(steps, step)));
    }

    @Override
    public String text() {
        return "%s %s%s".formatted(KIND, Spans.text(span), from.equals(Instant.EPOCH) ? "" : FROM + from);
    }
}
