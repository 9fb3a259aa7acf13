package dev.headgate.internal.resource;

import dev.headgate.internal.time.Micros;
import org.jspecify.annotations.Nullable;

/**
 * The time in which a worker must be done, in microseconds.
 *
 * @param micros what is left of it
 * @param whole what it had when the end was set
 */
public record TimeLeft(long micros, long whole) {
    /** How long a job of an unknown type is taken to run, by a worker that has that much time. */
    public static final long UNKNOWN_MICROS = 5 * Micros.PER_SECOND;

    /** No end is set. */
    public static final TimeLeft FOR_EVER = new TimeLeft(Long.MAX_VALUE, Long.MAX_VALUE);

    /**
     * How long a job of an unknown type is taken to run: no more than half of the whole time, so that every worker starts it
     * at first. A type that is started nowhere would stay unknown.
     */
    public long unknownMicros() {
        return Math.min(UNKNOWN_MICROS, whole / 2);
    }

    /** Whether a run is expected to be done by then; absent means that its time is not known. */
    public boolean isEnoughFor(@Nullable Long expected) {
        return (expected == null ? unknownMicros() : expected) <= micros;
    }
}
