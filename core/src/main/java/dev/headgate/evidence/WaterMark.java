package dev.headgate.evidence;

import java.time.Instant;

/**
 * How close a start came to a limit, or how far it went beyond: {@code used > allowed} is a violation.
 *
 * @param at when the jobs started
 * @param since where the interval begins that was looked at
 * @param used what was taken in it; for a spacing, the microseconds it needed
 * @param allowed what the limit allows in it; for a spacing, the microseconds there were
 * @param figures the same for people
 */
public record WaterMark(Instant at, Instant since, long used, long allowed, String figures) {
    @Override
    public String toString() {
        return "%s: %s".formatted(at, figures);
    }
}
