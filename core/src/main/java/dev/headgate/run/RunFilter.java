package dev.headgate.run;

import dev.headgate.job.Attributes;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Which runs to list, newest first: {@code RunFilter.all().workflow("ship").state(FAILED).limit(20)}. */
public record RunFilter(
        @Nullable String workflow,
        @Nullable RunState state,
        SortedMap<String, String> labels,
        @Nullable Long before,
        int limit) {
    /** The most runs of one page. */
    public static final int LIMIT_MAX = 1_000;

    public RunFilter {
        labels = Attributes.checkLabels(labels);
        if (limit < 1 || limit > LIMIT_MAX) {
            throw new IllegalArgumentException("limit: expected 1 to %d, got %d".formatted(LIMIT_MAX, limit));
        }
    }

    /** The newest 100 of all runs. */
    public static RunFilter all() {
        return new RunFilter(null, null, new TreeMap<>(), null, 100);
    }

    /** Only runs of this workflow, or instances of this machine; child runs of it too, which are left out otherwise. */
    public RunFilter workflow(String name) {
        return new RunFilter(name, state, labels, before, limit);
    }

    /** Only runs in this state. */
    public RunFilter state(RunState only) {
        return new RunFilter(workflow, only, labels, before, limit);
    }

    /** Only runs that have this label with this value; of several calls with other names, all count. */
    public RunFilter label(String name, String value) {
        SortedMap<String, String> all = new TreeMap<>(labels);
        all.put(name, value);
        return new RunFilter(workflow, state, all, before, limit);
    }

    /** Only runs older than this one. */
    public RunFilter before(RunId id) {
        return new RunFilter(workflow, state, labels, id.value(), limit);
    }

    /** No more runs than this, 1 to {@value #LIMIT_MAX}. Default: 100. */
    public RunFilter limit(int most) {
        return new RunFilter(workflow, state, labels, before, most);
    }
}
