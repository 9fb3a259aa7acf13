package dev.headgate.store;

import dev.headgate.job.JobState;
import org.jspecify.annotations.Nullable;

/** Which jobs to list, newest first; {@code before} continues a page. */
public record JobFilter(
        @Nullable String queue, @Nullable String type, @Nullable JobState state, @Nullable Long before, int limit) {
    public static final int LIMIT_MAX = 1000;

    public JobFilter {
        if (limit < 1 || limit > LIMIT_MAX) {
            throw new IllegalArgumentException("limit: expected 1 to %d, got %d".formatted(LIMIT_MAX, limit));
        }
    }
}
