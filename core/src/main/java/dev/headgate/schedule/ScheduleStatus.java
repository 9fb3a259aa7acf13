package dev.headgate.schedule;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A stored schedule as it stands.
 *
 * @param nextAt the instant of its next run; absent if it is paused or has none any more
 * @param lastAt the instant of the latest run that was started
 * @param note what is wrong with it, or which run was left out last and why; absent if all is well
 */
public record ScheduleStatus(
        String name,
        ScheduleTerms terms,
        boolean isPaused,
        @Nullable Instant nextAt,
        @Nullable Instant lastAt,
        @Nullable String note,
        Instant createdAt) {}
