package dev.headgate.cli.simulate;

import dev.headgate.Headgate;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.store.JobFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How long jobs of each type run: as told, else the median of the latest that succeeded. */
final class RunTimes {
    static final Duration UNKNOWN = Duration.ofSeconds(1);

    private final Headgate headgate;
    private final @Nullable Duration told;
    private final Map<String, Duration> byType = new TreeMap<>();
    private final List<String> guessed = new java.util.ArrayList<>();

    RunTimes(Headgate headgate, @Nullable Duration told) {
        this.headgate = headgate;
        this.told = told;
    }

    Duration of(String type) {
        return told != null ? told : byType.computeIfAbsent(type, this::median);
    }

    /** Types of which history knows nothing. */
    List<String> guessed() {
        return guessed;
    }

    private Duration median(String type) {
        List<Duration> spans =
                headgate
                        .page(JobFilter.all()
                                .type(type)
                                .state(JobState.SUCCEEDED)
                                .limit(JobFilter.LIMIT_MAX))
                        .jobs()
                        .stream()
                        .flatMap(RunTimes::span)
                        .sorted()
                        .toList();
        if (spans.isEmpty()) {
            guessed.add(type);
            return UNKNOWN;
        }
        return spans.get(spans.size() / 2);
    }

    private static Stream<Duration> span(JobStatus job) {
        Instant from = job.startedAt();
        Instant to = job.finishedAt();
        return from == null || to == null
                ? Stream.empty()
                : Stream.of(Objects.requireNonNull(Duration.between(from, to)));
    }
}
