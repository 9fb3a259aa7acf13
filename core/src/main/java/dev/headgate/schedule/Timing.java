package dev.headgate.schedule;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

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
                        "timing: expected 'cron … in ZONE', 'every SPAN' or 'once INSTANT', got '%s'".formatted(text));
        };
    }
}
