package dev.headgate.internal.resource;

import dev.headgate.resource.Capacity;
import org.jspecify.annotations.Nullable;

/**
 * A limiter of a worker's own that lets it start nothing for more than a moment, as the worker tells all others in its row,
 * behind its {@link Capacity}.
 *
 * @param reason the limit and its figures, such as {@code 1 of 1 in the last 1h (window 1/1h)}
 * @param opensAt store time in microseconds at which time alone opens it; absent if something must be given back first
 */
public record OwnLimiter(String reason, @Nullable Long opensAt) {
    private static final String UNKNOWN = "-";

    /** For the worker's row. */
    public String text() {
        return "\n%s %s".formatted(opensAt == null ? UNKNOWN : opensAt, reason);
    }

    /** Reads it from a worker's row; absent if that tells of none. */
    public static @Nullable OwnLimiter parse(String row) {
        int line = row.indexOf('\n');
        int space = row.indexOf(' ', line + 1);
        if (line < 0 || space < 0) {
            return null;
        }
        String opens = row.substring(line + 1, space);
        return new OwnLimiter(
                row.substring(space + 1), opens.equals(UNKNOWN) ? null : Long.valueOf(Long.parseLong(opens)));
    }
}
