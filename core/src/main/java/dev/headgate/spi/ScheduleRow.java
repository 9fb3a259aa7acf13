package dev.headgate.spi;

import dev.headgate.schedule.ScheduleTerms;
import org.jspecify.annotations.Nullable;

/** A schedule as stored. Instants are microseconds of store time. */
public record ScheduleRow(String name, ScheduleTerms terms, long createdAt, Progress progress) {
    /**
     * How far it is.
     *
     * @param settledAt instants up to this one have been dealt with
     * @param nextAt when it must be looked at; absent if it is paused or done
     * @param lastAt the instant of the latest run
     * @param note what is wrong, or which run was left out last
     */
    public record Progress(
            boolean isPaused,
            long settledAt,
            @Nullable Long nextAt,
            @Nullable Long lastAt,
            @Nullable String note) {}

    public ScheduleRow with(Progress after) {
        return new ScheduleRow(name, terms, createdAt, after);
    }
}
