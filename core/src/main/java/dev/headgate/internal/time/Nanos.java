package dev.headgate.internal.time;

import java.time.Duration;

/** Spans of {@link Ticker} time. */
public final class Nanos {
    /** Longer than any process runs, and still safe to add to a ticker's reading. */
    public static final long FOR_EVER = Long.MAX_VALUE / 4;

    private Nanos() {}

    /** The span in nanoseconds; a very long one is cut to {@link #FOR_EVER}, and so is one far below zero. */
    public static long of(Duration span) {
        if (span.compareTo(Duration.ofNanos(-FOR_EVER)) <= 0) {
            return -FOR_EVER;
        }
        return span.compareTo(Duration.ofNanos(FOR_EVER)) >= 0 ? FOR_EVER : span.toNanos();
    }
}
