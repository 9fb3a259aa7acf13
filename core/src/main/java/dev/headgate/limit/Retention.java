package dev.headgate.limit;

import dev.headgate.internal.time.Micros;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How long what has ended is kept: {@code retention 30d} or {@code retention forever} in the policy of a queue.
 *
 * @param span absent means for ever
 */
public record Retention(@Nullable Duration span) {
    private static final String FOREVER_TEXT = "forever";
    private static final Duration MAX = Duration.ofDays(36_525);

    /** Never deleted by itself. */
    public static final Retention FOREVER = new Retention(null);

    /** For a queue without a setting. */
    public static final Retention DEFAULT = new Retention(Duration.ofDays(7));

    public Retention {
        if (span != null && (span.isNegative() || span.isZero() || span.compareTo(MAX) > 0)) {
            throw new IllegalArgumentException("retention: expected more than nothing and up to %s, or forever, got %s"
                    .formatted(Spans.text(MAX), span));
        }
    }

    public boolean isLongerThan(Retention other) {
        return other.span != null && (span == null || span.compareTo(other.span) > 0);
    }

    /** What ended before this instant is deleted; absent if nothing is. */
    public @Nullable Long before(long now) {
        return span == null ? null : Long.valueOf(now - Micros.of(span));
    }

    /** As people write it: {@code 30d} or {@code forever}. */
    public String text() {
        return span == null ? FOREVER_TEXT : Spans.text(span);
    }

    /** Reads what {@link #text} wrote. */
    public static Retention parse(String text) {
        return text.toLowerCase(Locale.ROOT).equals(FOREVER_TEXT) ? FOREVER : new Retention(Spans.parse(text));
    }
}
