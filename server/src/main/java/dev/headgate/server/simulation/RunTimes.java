package dev.headgate.server.simulation;

import dev.headgate.Headgate;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How long jobs of each type hold their slot: as given, else as the latest successful jobs did. Those durations are
 * used one after the other, not as their median: a few long runs among many short ones decide when a backlog is done.
 * The time between start and end in the store includes the wait for turns; a turn is added to a given or guessed time.
 */
public final class RunTimes {
    /** Of a type without a history. */
    public static final Duration UNKNOWN = Duration.ofSeconds(1);

    private final Headgate headgate;
    private final @Nullable Duration told;
    private final Duration turn;
    private final Map<String, Samples> byType = new TreeMap<>();

    /** The history of a type, oldest first; empty if no job has succeeded. */
    private static final class Samples {
        private final List<Duration> spans;
        private int next;

        private Samples(List<Duration> spans) {
            this.spans = spans;
        }

        private Duration median() {
            return spans.stream().sorted().toList().get(spans.size() / 2);
        }

        private Duration next() {
            return spans.get(next++ % spans.size());
        }
    }

    /**
     * The run times of a store.
     *
     * @param told of all types; absent if history tells
     * @param turn added to what is told or guessed
     */
    public RunTimes(Headgate headgate, @Nullable Duration told, Duration turn) {
        this.headgate = headgate;
        this.told = told;
        this.turn = turn;
    }

    /** The duration of the next job of this type. */
    public Duration of(String type) {
        Samples samples = byType.computeIfAbsent(type, this::read);
        if (told != null) {
            return told.plus(turn);
        }
        return samples.spans.isEmpty() ? UNKNOWN.plus(turn) : samples.next();
    }

    /** The duration of a future job, if nothing else gives it. */
    public Duration ofArrivals(@Nullable Duration run) {
        return Objects.requireNonNullElse(run, Objects.requireNonNullElse(told, UNKNOWN))
                .plus(turn);
    }

    /** Types without a history. */
    public List<String> guessed() {
        return told != null
                ? List.of()
                : byType.entrySet().stream()
                        .filter(each -> each.getValue().spans.isEmpty())
                        .map(Map.Entry::getKey)
                        .toList();
    }

    /**
     * What was assumed of one type.
     *
     * @param runs how many runs of history tell it; 0 if it was told or guessed
     */
    public record Assumed(String type, int runs, Duration median) {}

    /** What was assumed of each type that was asked for. */
    public List<Assumed> assumed() {
        return byType.entrySet().stream()
                .map(each -> told != null
                        ? new Assumed(each.getKey(), 0, told)
                        : each.getValue().spans.isEmpty()
                                ? new Assumed(each.getKey(), 0, UNKNOWN)
                                : new Assumed(
                                        each.getKey(),
                                        each.getValue().spans.size(),
                                        each.getValue().median()))
                .toList();
    }

    public @Nullable Duration told() {
        return told;
    }

    public Duration turn() {
        return turn;
    }

    /** What was assumed of each type, for machines. */
    public List<JsonWriter> json() {
        return assumed().stream()
                .map(each -> JsonWriter.object()
                        .put("type", each.type())
                        .put("source", told != null ? "told" : each.runs() == 0 ? "guess" : "history")
                        .put("runs", each.runs())
                        .put("medianMs", each.median()))
                .toList();
    }

    private Samples read(String type) {
        return new Samples(
                told != null
                        ? List.of()
                        : headgate
                                .page(JobFilter.all()
                                        .type(type)
                                        .state(JobState.SUCCEEDED)
                                        .limit(JobFilter.LIMIT_MAX))
                                .jobs()
                                .reversed()
                                .stream()
                                .flatMap(RunTimes::span)
                                .toList());
    }

    private static Stream<Duration> span(JobStatus job) {
        Instant from = job.times().startedAt();
        Instant to = job.times().finishedAt();
        return from == null || to == null
                ? Stream.empty()
                : Stream.of(Objects.requireNonNull(Duration.between(from, to)));
    }
}
