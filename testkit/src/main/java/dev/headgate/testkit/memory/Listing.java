package dev.headgate.testkit.memory;

import dev.headgate.job.JobFilter;
import dev.headgate.job.JobSpec;
import dev.headgate.job.JobState;
import dev.headgate.spi.JobIds;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Pages of job ids. */
record Listing<V>(NavigableMap<Long, V> rows, Function<V, JobSpec> spec, Function<V, JobState> state)
        implements JobIds {
    @Override
    public List<Long> list(JobFilter filter, int look) {
        return newest(filter.before()).entrySet().stream()
                .limit(look)
                .filter(entry -> isWanted(filter, spec.apply(entry.getValue()), state.apply(entry.getValue())))
                .limit(filter.limit())
                .map(Map.Entry::getKey)
                .toList();
    }

    @Override
    public @Nullable Long floor(JobFilter filter, int look) {
        return newest(filter.before()).keySet().stream()
                .skip(look - 1)
                .findFirst()
                .orElse(null);
    }

    private NavigableMap<Long, V> newest(@Nullable Long before) {
        return (before == null ? rows : rows.headMap(before, false)).descendingMap();
    }

    private static boolean isWanted(JobFilter filter, JobSpec spec, JobState state) {
        return (filter.queue() == null || filter.queue().equals(spec.lane().queue()))
                && (filter.type() == null || filter.type().equals(spec.type()))
                && (filter.state() == null || filter.state() == state);
    }
}
