package dev.headgate.job;

import org.jspecify.annotations.Nullable;

/**
 * Which jobs to list, newest first; {@code before} continues a page: {@code JobFilter.all().queue("mail").limit(20)}.
 */
public record JobFilter(
        @Nullable String queue,
        @Nullable String type,
        @Nullable JobState state,
        @Nullable Long before,
        int limit) {
    /** The most jobs of one page. */
    public static final int LIMIT_MAX = 1000;

    public JobFilter {
        if (limit < 1 || limit > LIMIT_MAX) {
            throw new IllegalArgumentException("limit: expected 1 to %d, got %d".formatted(LIMIT_MAX, limit));
        }
    }

    /** The newest 100 of all jobs. */
    public static JobFilter all() {
        return new JobFilter(null, null, null, null, 100);
    }

    /** Only jobs of this queue. */
    public JobFilter queue(String name) {
        return new JobFilter(name, type, state, before, limit);
    }

    /** Only jobs of this type. */
    public JobFilter type(String name) {
        return new JobFilter(queue, name, state, before, limit);
    }

    /** Only jobs in this state. */
    public JobFilter state(JobState only) {
        return new JobFilter(queue, type, only, before, limit);
    }

    /** Only jobs older than this one. */
    public JobFilter before(JobId id) {
        return new JobFilter(queue, type, state, id.value(), limit);
    }

    /** No more jobs than this, 1 to {@value #LIMIT_MAX}. Default: 100. */
    public JobFilter limit(int most) {
        return new JobFilter(queue, type, state, before, most);
    }
}
