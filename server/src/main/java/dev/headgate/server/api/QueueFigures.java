package dev.headgate.server.api;

import dev.headgate.internal.json.JsonWriter;
import dev.headgate.job.JobState;
import dev.headgate.status.Overview;
import dev.headgate.status.QueueCount;
import dev.headgate.status.Totals.Oldest;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Queues with their jobs by state and the workers that serve them, as figures and as JSON, for the HTTP API and the command line. */
public final class QueueFigures {
    private final TreeMap<String, Map<JobState, Long>> counts = new TreeMap<>();
    private final Set<QueueCount> rough = new HashSet<>();
    private final Map<String, Oldest> oldest = new HashMap<>();
    private final Overview overview;

    public QueueFigures(Overview overview) {
        this(overview, List.of());
    }

    public QueueFigures(Overview overview, List<Oldest> waiting) {
        this.overview = overview;
        waiting.forEach(each -> oldest.put(each.queue(), each));
        for (QueueCount count : overview.jobs()) {
            named(count.queue()).merge(count.state(), count.jobs(), Long::sum);
            if (count.isMore()) {
                rough.add(count);
            }
        }
    }

    /** Also lists a queue that has no jobs. */
    public void include(String queue) {
        named(queue);
    }

    private Map<JobState, Long> named(String queue) {
        return counts.computeIfAbsent(queue, name -> new EnumMap<>(JobState.class));
    }

    public boolean isEmpty() {
        return counts.isEmpty();
    }

    public List<JsonWriter> json() {
        return counts.keySet().stream().map(this::json).toList();
    }

    public JsonWriter json(String queue) {
        JsonWriter jobs = JsonWriter.object();
        for (JobState state : JobState.values()) {
            jobs.put(state.name().toLowerCase(Locale.ROOT), jobs(queue, state));
        }
        JsonWriter json = JsonWriter.object().put("name", queue).put("jobs", jobs);
        List<String> atLeast = rough.stream()
                .filter(count -> count.queue().equals(queue))
                .map(count -> count.state().name().toLowerCase(Locale.ROOT))
                .sorted()
                .toList();
        Oldest first = oldest.get(queue);
        return (atLeast.isEmpty() ? json : json.put("atLeast", atLeast))
                .put("workers", workers(queue))
                .put("oldestSince", first == null ? null : first.since())
                .put("oldestAtLeast", first != null && first.isAtLeast());
    }

    /** The job that has waited longest; absent if none waits. */
    public @Nullable Oldest oldest(String queue) {
        return oldest.get(queue);
    }

    /** For how many milliseconds that job has waited; absent if none waits. */
    public @Nullable Long ageMillis(String queue) {
        Oldest first = oldest.get(queue);
        return first == null
                ? null
                : Duration.between(first.since(), overview.at()).toMillis();
    }

    /** Whether the number may be higher. */
    public boolean isRough(String queue, JobState state) {
        return rough.stream().anyMatch(count -> count.queue().equals(queue) && count.state() == state);
    }

    public long jobs(String queue, JobState state) {
        return counts.getOrDefault(queue, Map.of()).getOrDefault(state, 0L);
    }

    /** Live workers that serve the queue. */
    public long workers(String queue) {
        return overview.workers().stream()
                .filter(worker -> worker.leaseUntil().isAfter(overview.at()) && worker.serves(queue))
                .count();
    }

    public Instant at() {
        return overview.at();
    }

    public Set<String> names() {
        return counts.keySet();
    }
}
