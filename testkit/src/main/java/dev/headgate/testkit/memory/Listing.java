package dev.headgate.testkit.memory;

import dev.headgate.job.JobFilter;
import dev.headgate.job.JobSpec;
import dev.headgate.job.JobState;
import dev.headgate.spi.JobIds;
import dev.headgate.spi.JobMatch;
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
        return newest(filter).entrySet().stream()
                .limit(look)
                .filter(entry -> JobMatch.isWanted(filter, spec.apply(entry.getValue()), state.apply(entry.getValue())))
                .limit(filter.limit())
                .map(Map.Entry::getKey)
                .toList();
    }

    @Override
    public @Nullable Long floor(JobFilter filter, int look) {
        return newest(filter).keySet().stream().skip(look - 1).findFirst().orElse(null);
    }

    private NavigableMap<Long, V> newest(JobFilter filter) {
        return rows.headMap(JobMatch.below(filter), false).descendingMap();
    }
}
