package dev.headgate.testkit.memory;

import dev.headgate.job.JobState;
import dev.headgate.store.QueueCount;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** How many rows there are by queue and state. */
final class Tally<V> implements Index<V> {
    private final Function<V, String> queue;
    private final Function<V, JobState> state;
    private final Map<String, Map<JobState, Long>> counts = new TreeMap<>();

    Tally(Function<V, String> queue, Function<V, JobState> state) {
        this.queue = queue;
        this.state = state;
    }

    @Override
    public void add(V row) {
        counts.computeIfAbsent(queue.apply(row), q -> new TreeMap<>()).merge(state.apply(row), 1L, Long::sum);
    }

    @Override
    public void remove(V row) {
        Map<JobState, Long> states = counts.get(queue.apply(row));
        if (states != null) {
            states.computeIfPresent(state.apply(row), (s, count) -> count == 1 ? null : count - 1);
        }
    }

    List<QueueCount> counts() {
        return counts.entrySet().stream()
                .flatMap(queueCounts -> queueCounts.getValue().entrySet().stream()
                        .map(count -> new QueueCount(queueCounts.getKey(), count.getKey(), count.getValue())))
                .toList();
    }
}
