package dev.headgate.job;

import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What no index knows of jobs: a page with such a wish reads some thousand jobs and is partial if more are left.
 *
 * @param worker the id of the worker that runs it, or with which it ended
 * @param error a part of its latest error, or of the reason that it is parked; upper and lower case count
 * @param payload a field of its payload
 * @param labels labels that it has, all of them
 */
public record JobSearch(
        @Nullable String worker,
        Times times,
        @Nullable String error,
        @Nullable Field payload,
        SortedMap<String, String> labels) {
    /** Every job. */
    public static final JobSearch ALL = new JobSearch(null, Times.ANY, null, null, new TreeMap<>());

    public JobSearch {
        labels = Attributes.checkLabels(labels);
    }

    /**
     * A stretch of time.
     *
     * @param from the first instant of it; absent if it has no beginning
     * @param to the first instant after it; absent if it has no end
     */
    public record Between(@Nullable Instant from, @Nullable Instant to) {
        /** All time, and what has not happened. */
        public static final Between ANY = new Between(null, null);

        public Between {
            if (from != null && to != null && !from.isBefore(to)) {
                throw new IllegalArgumentException(
                        "time range: expected its beginning before its end, got %s and %s".formatted(from, to));
            }
        }

        /** Whether an instant is in it; what has not happened is in no stretch that has a beginning or an end. */
        public boolean has(@Nullable Instant instant) {
            return instant == null
                    ? equals(ANY)
                    : (from == null || !instant.isBefore(from)) && (to == null || instant.isBefore(to));
        }
    }

    /** When it was enqueued, when its latest attempt began, and when it ended. */
    public record Times(Between enqueued, Between started, Between ended) {
        /** At any time. */
        public static final Times ANY = new Times(Between.ANY, Between.ANY, Between.ANY);
    }

    /**
     * A field of a payload.
     *
     * @param path its name, or the names that lead to it with dots between: {@code customer.id}
     * @param value the text that it is, or a number, {@code true}, {@code false} or {@code null}
     */
    public record Field(String path, String value) {
        public Field {
            if (path.isEmpty() || path.startsWith(".") || path.endsWith(".") || path.contains("..")) {
                throw new IllegalArgumentException(
                        "payload field: expected a name, or names with dots between, got '%s'".formatted(path));
            }
        }
    }
}
