package dev.headgate.internal.resource;

import dev.headgate.internal.time.Micros;
import dev.headgate.resource.Capacity;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Says that a worker's own limiter has let nothing start for more than a moment. Stored in the worker's row, behind its
 * {@link Capacity}, for all other workers.
 *
 * @param reason the limit and its figures, such as {@code 1 of 1 in the last 1h (window 1/1h)}
 * @param opensAt store time in microseconds at which time alone opens it; absent if a release must come first, {@link #NEVER_AT} if it never opens
 */
public record LimiterClosure(String reason, @Nullable Long opensAt) {
    /** How long it takes to open what never opens. */
    public static final Duration NEVER = Duration.ofSeconds(Long.MAX_VALUE);

    private static final long NEVER_AT = Long.MAX_VALUE;
    private static final String UNKNOWN = "-";

    /**
     * A closure that opens after this time.
     *
     * @param opens absent if a release must come first
     */
    static LimiterClosure of(String reason, @Nullable Duration opens, long now) {
        if (opens == null) {
            return new LimiterClosure(reason, null);
        }
        return new LimiterClosure(reason, opens.equals(NEVER) ? NEVER_AT : now + Micros.of(opens));
    }

    public boolean isNever() {
        return opensAt != null && opensAt == NEVER_AT;
    }

    /** For the worker's row. */
    public String text() {
        return "\n%s %s".formatted(opensAt == null ? UNKNOWN : opensAt, reason);
    }

    /** Reads it from a worker's row; absent if the row has none. */
    public static @Nullable LimiterClosure parse(String row) {
        int line = row.indexOf('\n');
        int space = row.indexOf(' ', line + 1);
        if (line < 0 || space < 0) {
            return null;
        }
        String opens = row.substring(line + 1, space);
        return new LimiterClosure(
                row.substring(space + 1), opens.equals(UNKNOWN) ? null : Long.valueOf(Long.parseLong(opens)));
    }
}
