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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Pages of job ids. */
record Listing<V>(NavigableMap<Long, V> rows, Function<V, JobSpec> spec, Function<V, JobState> state)
        implements JobIds {
    @Override
    public List<Long> list(JobFilter filter, int look) {
        return looked(filter)
                .limit(look)
                .filter(entry -> isWanted(filter, entry.getValue()))
                .limit(filter.limit())
                .map(Map.Entry::getKey)
                .toList();
    }

    @Override
    public @Nullable Long floor(JobFilter filter, int look) {
        return looked(filter).skip(look - 1).map(Map.Entry::getKey).findFirst().orElse(null);
    }

    private boolean isWanted(JobFilter filter, V row) {
        JobSpec job = spec.apply(row);
        return JobMatch.isWanted(filter, job, state.apply(row))
                && job.attributes().hasLabels(filter.search().labels());
    }

    /** The newest; if labels are asked for, those that have labels. */
    private Stream<Map.Entry<Long, V>> looked(JobFilter filter) {
        boolean isAll = filter.search().labels().isEmpty();
        return rows.headMap(JobMatch.below(filter), false).descendingMap().entrySet().stream()
                .filter(entry -> isAll
                        || !spec.apply(entry.getValue()).attributes().labels().isEmpty());
    }
}
