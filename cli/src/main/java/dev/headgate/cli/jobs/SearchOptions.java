package dev.headgate.cli.jobs;

import dev.headgate.cli.CommandException;
import dev.headgate.cli.TimeOption;
import dev.headgate.job.JobFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What a list of jobs is searched for beyond what an index knows. */
final class SearchOptions {
    private static final String RANGE = "FROM..TO";

    @Option(
            names = "--worker",
            paramLabel = "ID",
            description = "only those that this worker runs, or that ended with it")
    private @Nullable String worker;

    @Option(
            names = "--enqueued",
            paramLabel = RANGE,
            description = "only of this time: 2h.. since two hours, 1d..2h, or dates; either side may be missing")
    private @Nullable String enqueued;

    @Option(names = "--started", paramLabel = RANGE, description = "the same for the start of the latest attempt")
    private @Nullable String started;

    @Option(names = "--ended", paramLabel = RANGE, description = "the same for the end")
    private @Nullable String ended;

    @Option(names = "--error", paramLabel = "TEXT", description = "only those whose latest error contains this")
    private @Nullable String error;

    @Option(
            names = "--payload",
            paramLabel = "FIELD=VALUE",
            description = "only those whose payload has this value; customer.id=42 for a field in a field")
    private @Nullable String payload;

    @Option(
            names = "--label",
            paramLabel = "NAME=VALUE",
            description = "only those with this label; give it again for more, which they must all have")
    private List<String> labels = List.of();

    JobFilter add(JobFilter all, Instant now) {
        JobFilter filter = worker == null ? all : all.worker(worker);
        for (Map.Entry<String, String> label :
                AttributeOptions.pairs("--label", labels).entrySet()) {
            filter = filter.label(label.getKey(), label.getValue());
        }
        filter = error == null ? filter : filter.error(error);
        if (payload != null) {
            int equals = payload.indexOf('=');
            if (equals < 1) {
                throw CommandException.usage("--payload: expected FIELD=VALUE, got '%s'".formatted(payload));
            }
            filter = filter.payload(payload.substring(0, equals), payload.substring(equals + 1));
        }
        filter = enqueued == null ? filter : filter.enqueued(from("--enqueued", enqueued, now), to(enqueued, now));
        filter = started == null ? filter : filter.started(from("--started", started, now), to(started, now));
        return ended == null ? filter : filter.ended(from("--ended", ended, now), to(ended, now));
    }

    private static @Nullable Instant from(String option, String range, Instant now) {
        int dots = range.indexOf("..");
        if (dots < 0 || range.length() == 2) {
            throw CommandException.usage(
                    "%s: expected FROM..TO, such as 2h.. or 2030-01-31T09:00..2030-01-31T10:00, got '%s'"
                            .formatted(option, range));
        }
        return instant(range.substring(0, dots), now);
    }

    private static @Nullable Instant to(String range, Instant now) {
        return instant(range.substring(range.indexOf("..") + 2), now);
    }

    /** A span is one ago: what is listed has happened. */
    private static @Nullable Instant instant(String text, Instant now) {
        if (text.isBlank()) {
            return null;
        }
        return switch (TimeOption.parse(text)) {
            case TimeOption.In(Duration span) -> now.minus(span);
            case TimeOption.At(Instant instant) -> instant;
        };
    }
}
