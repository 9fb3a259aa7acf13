package dev.headgate.cli.simulation;

import dev.headgate.Headgate;
import dev.headgate.cli.display.Wording;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How long jobs of each type hold their slot: as given, else as the latest successful jobs did. Those durations are
 * used one after the other, not as their median: a few long runs among many short ones decide when a backlog is done.
 * The time between start and end in the store includes the wait for turns; a turn is added to a given or guessed time.
 */
final class RunTimes {
    static final Duration UNKNOWN = Duration.ofSeconds(1);

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

    RunTimes(Headgate headgate, @Nullable Duration told, Duration turn) {
        this.headgate = headgate;
        this.told = told;
        this.turn = turn;
    }

    /** The duration of the next job of this type. */
    Duration of(String type) {
        Samples samples = byType.computeIfAbsent(type, this::read);
        if (told != null) {
            return told.plus(turn);
        }
        return samples.spans.isEmpty() ? UNKNOWN.plus(turn) : samples.next();
    }

    /** The duration of a future job, if nothing else gives it. */
    Duration ofArrivals(@Nullable Duration run) {
        return Objects.requireNonNullElse(run, Objects.requireNonNullElse(told, UNKNOWN))
                .plus(turn);
    }

    /** Types without a history. */
    List<String> guessed() {
        return told != null
                ? List.of()
                : byType.entrySet().stream()
                        .filter(each -> each.getValue().spans.isEmpty())
                        .map(Map.Entry::getKey)
                        .toList();
    }

    /** What was assumed, in a line; absent if the backlog was not simulated. */
    @Nullable
    String line() {
        if (byType.isEmpty()) {
            return null;
        }
        String each = told != null
                ? "%s for every job".formatted(Wording.span(told))
                : byType.entrySet().stream().map(RunTimes::text).collect(Collectors.joining(", "));
        boolean isAdded = told != null || !guessed().isEmpty();
        return "run times assumed: %s%s"
                .formatted(each, isAdded ? "; and %s for the turn".formatted(Wording.span(turn)) : "");
    }

    private static String text(Map.Entry<String, Samples> type) {
        Samples samples = type.getValue();
        return samples.spans.isEmpty()
                ? "%s %s (a guess)".formatted(type.getKey(), Wording.span(UNKNOWN))
                : "%s as its latest %s, %s in the median with its turns"
                        .formatted(
                                type.getKey(),
                                Wording.count(samples.spans.size(), "run"),
                                Wording.span(samples.median()));
    }

    List<JsonWriter> json() {
        List<JsonWriter> types = new ArrayList<>();
        byType.forEach((type, samples) -> types.add(JsonWriter.object()
                .put("type", type)
                .put("source", told != null ? "told" : samples.spans.isEmpty() ? "guess" : "history")
                .put("runs", told != null ? 0 : samples.spans.size())
                .put("medianMs", told != null ? told : samples.spans.isEmpty() ? UNKNOWN : samples.median())));
        return types;
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
