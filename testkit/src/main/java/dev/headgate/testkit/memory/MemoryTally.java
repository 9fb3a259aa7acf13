package dev.headgate.testkit.memory;

import dev.headgate.job.JobState;
import dev.headgate.status.QueueCount;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** How many rows there are by queue and state. */
final class MemoryTally<V> implements Index<V> {
    private final Function<V, String> queue;
    private final Function<V, JobState> state;
    private final Map<String, Map<JobState, Count>> counts = new TreeMap<>();

    private static final class Count {
        private long rows;
    }

    MemoryTally(Function<V, String> queue, Function<V, JobState> state) {
        this.queue = queue;
        this.state = state;
    }

    @Override
    public void add(V row) {
        count(row).rows++;
    }

    @Override
    public void remove(V row) {
        count(row).rows--;
    }

    private Count count(V row) {
        return counts.computeIfAbsent(queue.apply(row), name -> new EnumMap<>(JobState.class))
                .computeIfAbsent(state.apply(row), each -> new Count());
    }

    List<QueueCount> counts() {
        List<QueueCount> all = new ArrayList<>();
        counts.forEach((name, states) -> states.forEach((each, count) -> {
            if (count.rows > 0) {
                all.add(new QueueCount(name, each, count.rows));
            }
        }));
        return all;
    }
}
