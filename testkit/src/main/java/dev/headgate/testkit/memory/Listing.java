package dev.headgate.testkit.memory;

import dev.headgate.job.JobSpec;
import dev.headgate.job.JobState;
import dev.headgate.store.JobFilter;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.Function;

/** Pages of job ids. */
final class Listing {
    private Listing() {}

    static <V> List<Long> newestFirst(
            NavigableMap<Long, V> rows, JobFilter filter, Function<V, JobSpec> spec, Function<V, JobState> state) {
        NavigableMap<Long, V> page = filter.before() == null ? rows : rows.headMap(filter.before(), false);
        return page.descendingMap().entrySet().stream()
                .filter(entry -> isWanted(filter, spec.apply(entry.getValue()), state.apply(entry.getValue())))
                .limit(filter.limit())
                .map(Map.Entry::getKey)
                .toList();
    }

    private static boolean isWanted(JobFilter filter, JobSpec spec, JobState state) {
        return (filter.queue() == null || filter.queue().equals(spec.lane().queue()))
                && (filter.type() == null || filter.type().equals(spec.type()))
                && (filter.state() == null || filter.state() == state);
    }
}
