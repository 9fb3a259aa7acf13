package dev.headgate.server.api;

import dev.headgate.job.JobFilter;
import dev.headgate.job.JobState;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Query;
import dev.headgate.server.route.Call;
import dev.headgate.server.token.Right;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads which jobs a list is asked for: {@code ?queue=mail&label=team=mail&ended=2030-01-31T09:00:00Z..}. */
final class JobQuery {
    private static final List<String> GATES = List.of("gate", "holding", "waiting");
    private static final Map<String, BiFunction<JobFilter, String, JobFilter>> FILTERS = filters();

    /** The parameters of the list. */
    static final String[] PARAMETERS = Stream.concat(FILTERS.keySet().stream(), Stream.of("limit", "cursor"))
            .toArray(String[]::new);

    private JobQuery() {}

    static JobFilter filter(Call call) {
        Query query = call.query();
        List<String> gates =
                GATES.stream().filter(name -> query.text(name) != null).toList();
        if (gates.size() > 1) {
            throw wrong("expected one of gate, holding and waiting, got " + String.join(" and ", gates));
        }
        if (query.text("payload") != null && !call.bearer().has(Right.PAYLOADS)) {
            throw new ProblemException(
                    Problem.MISSING_RIGHT,
                    "parameter 'payload': expected a token with the right '%s', because a search tells what payloads contain; got '%s' without it"
                            .formatted(Right.PAYLOADS.text(), call.bearer().name()));
        }
        JobFilter filter = JobFilter.all();
        for (Map.Entry<String, BiFunction<JobFilter, String, JobFilter>> each : FILTERS.entrySet()) {
            for (String value : query.texts(each.getKey())) {
                filter = read(each.getKey(), each.getValue(), filter, value);
            }
        }
        return filter;
    }

    private static JobFilter read(
            String name, BiFunction<JobFilter, String, JobFilter> reader, JobFilter filter, String value) {
        try {
            return reader.apply(filter, value);
        } catch (IllegalArgumentException unfit) {
            throw wrong("parameter '%s': %s".formatted(name, unfit.getMessage()));
        }
    }

    /** What the list was asked for; a cursor belongs to it. */
    static List<String> asked(Query query) {
        return FILTERS.keySet().stream()
                .map(name -> name + "=" + query.texts(name).stream().sorted().toList())
                .toList();
    }

    private static Map<String, BiFunction<JobFilter, String, JobFilter>> filters() {
        Map<String, BiFunction<JobFilter, String, JobFilter>> filters = new LinkedHashMap<>();
        filters.put("queue", JobFilter::queue);
        filters.put("type", JobFilter::type);
        filters.put("state", (filter, text) -> filter.state(state(text)));
        filters.put("gate", JobFilter::gate);
        filters.put("holding", JobFilter::holding);
        filters.put("waiting", JobFilter::waiting);
        filters.put("label", (filter, text) -> filter.label(name(text), value(text)));
        filters.put("worker", JobFilter::worker);
        filters.put("enqueued", (filter, text) -> filter.enqueued(from(text), to(text)));
        filters.put("started", (filter, text) -> filter.started(from(text), to(text)));
        filters.put("ended", (filter, text) -> filter.ended(from(text), to(text)));
        filters.put("error", JobFilter::error);
        filters.put("payload", (filter, text) -> filter.payload(name(text), value(text)));
        return filters;
    }

    private static JobState state(String text) {
        for (JobState state : JobState.values()) {
            if (state.name().toLowerCase(Locale.ROOT).equals(text)) {
                return state;
            }
        }
        throw new IllegalArgumentException("expected %s, got '%s'"
                .formatted(
                        Arrays.stream(JobState.values())
                                .map(state -> state.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(", ")),
                        text));
    }

    private static String name(String pair) {
        int equals = pair.indexOf('=');
        if (equals < 1) {
            throw new IllegalArgumentException("expected NAME=VALUE, such as team=mail, got '%s'".formatted(pair));
        }
        return pair.substring(0, equals);
    }

    private static String value(String pair) {
        return pair.substring(pair.indexOf('=') + 1);
    }

    private static @Nullable Instant from(String range) {
        int dots = range.indexOf("..");
        if (dots < 0 || range.length() == 2) {
            throw new IllegalArgumentException(
                    "expected FROM..TO, such as 2030-01-31T09:00:00Z..2030-01-31T10:00:00Z, where one may be missing, got '%s'"
                            .formatted(range));
        }
        return instant(range.substring(0, dots));
    }

    private static @Nullable Instant to(String range) {
        return instant(range.substring(range.indexOf("..") + 2));
    }

    private static @Nullable Instant instant(String text) {
        if (text.isEmpty()) {
            return null;
        }
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException unreadable) {
            throw new IllegalArgumentException(
                    "expected an instant such as 2030-01-31T09:00:00Z, got '%s'".formatted(text), unreadable);
        }
    }

    private static ProblemException wrong(String detail) {
        return new ProblemException(Problem.BAD_QUERY, detail);
    }
}
