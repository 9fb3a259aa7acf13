package dev.headgate.server.api;

import dev.headgate.schedule.Missed;
import dev.headgate.schedule.Overlap;
import dev.headgate.schedule.Schedule;
import dev.headgate.server.http.JsonDocument;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads when a schedule is due: {@code {"cron":"0 3 * * *","zone":"Europe/Berlin","overlap":"skip"}}. */
final class TimingReader {
    static final Set<String> FIELDS = Set.of("cron", "zone", "every", "from", "once", "missed", "overlap");

    private final JsonDocument sent;

    TimingReader(JsonDocument sent) {
        this.sent = sent;
    }

    /** The schedule that is asked for. */
    Schedule schedule() {
        return changed(null);
    }

    /** The same schedule but for what is sent; absent means that all must be. */
    Schedule changed(@Nullable Schedule before) {
        List<String> given =
                List.of("cron", "every", "once").stream().filter(sent::has).toList();
        if (given.size() > 1 || (given.isEmpty() && before == null)) {
            throw wrong("expected one of 'cron', 'every' and 'once', got %s"
                    .formatted(given.isEmpty() ? "none" : String.join(" and ", given)));
        }
        if (sent.has("from") && !sent.has("every")) {
            throw wrong("field 'from': expected 'every' beside it, got none");
        }
        if (sent.has("zone") && (sent.has("every") || sent.has("once"))) {
            throw wrong("field 'zone': expected 'cron' beside it; intervals and instants have none");
        }
        Schedule timed = timed(before);
        Schedule kept = before == null ? timed : timed.missed(before.missed()).overlap(before.overlap());
        return kept.missed(named("missed", Missed.values(), kept.missed()))
                .overlap(named("overlap", Overlap.values(), kept.overlap()));
    }

    private Schedule timed(@Nullable Schedule before) {
        String zone = sent.textOrNull("zone");
        if (sent.has("cron")) {
            String cron = sent.text("cron");
            ZoneId kept = before == null ? null : before.zone().orElse(null);
            Schedule timed =
                    JsonDocument.read("cron", () -> kept == null ? Schedule.cron(cron) : Schedule.cron(cron, kept));
            return zone == null ? timed : JsonDocument.read("zone", () -> timed.in(zone));
        }
        if (sent.has("every")) {
            Duration every = Objects.requireNonNull(sent.spanOrNull("every"), "it is there");
            Instant from = sent.instantOrNull("from");
            return JsonDocument.read("every", () -> from == null ? Schedule.every(every) : Schedule.every(every, from));
        }
        if (sent.has("once")) {
            Instant at = Objects.requireNonNull(sent.instantOrNull("once"), "it is there");
            return JsonDocument.read("once", () -> Schedule.once(at));
        }
        Schedule kept = Objects.requireNonNull(before, "checked above");
        return zone == null ? kept : JsonDocument.read("zone", () -> kept.in(zone));
    }

    private <E extends Enum<E>> E named(String field, E[] values, E missing) {
        String text = sent.textOrNull(field);
        if (text == null) {
            return missing;
        }
        List<String> names = Arrays.stream(values)
                .map(value -> value.name().toLowerCase(Locale.ROOT))
                .toList();
        int at = names.indexOf(text);
        if (at < 0) {
            throw wrong("field '%s': expected %s, got '%s'".formatted(field, String.join(", ", names), text));
        }
        return values[at];
    }

    private static ProblemException wrong(String detail) {
        return new ProblemException(Problem.BAD_FIELD, detail);
    }
}
