package dev.headgate.cli.schedules;

import dev.headgate.cli.CommandException;
import dev.headgate.cli.TimeOption;
import dev.headgate.internal.text.NearestName;
import dev.headgate.schedule.Missed;
import dev.headgate.schedule.Overlap;
import dev.headgate.schedule.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** When a schedule is due, as given on the command line. */
final class TimingOptions {
    @Option(
            names = "--cron",
            paramLabel = "EXPR",
            description = "minute hour day month weekday, or six fields with seconds in front, or @daily and the like")
    private @Nullable String cron;

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            description = "where --cron is meant, such as Europe/Berlin; UTC if not given")
    private @Nullable String zone;

    @Option(
            names = "--every",
            paramLabel = "SPAN",
            description = "at equal distances counted from 1970, such as 5m; 1s or more")
    private @Nullable Duration every;

    @Option(names = "--from", paramLabel = "TIME", description = "… or counted from then on, which is the first")
    private @Nullable TimeOption from;

    @Option(
            names = "--once",
            paramLabel = "TIME",
            description = "at one instant, such as 2030-01-31T09:00, or 10m from now")
    private @Nullable TimeOption once;

    @Option(
            names = "--missed",
            paramLabel = "POLICY",
            description = "runs that no worker was there to start: skip, one (as if not given) or all")
    private @Nullable String missed;

    @Option(
            names = "--overlap",
            paramLabel = "POLICY",
            description = "runs while an earlier one has not ended: allow (as if not given), skip or buffer")
    private @Nullable String overlap;

    boolean isUsed() {
        return Stream.of(cron, zone, every, from, once, missed, overlap).anyMatch(given -> given != null);
    }

    /** The schedule that is asked for. */
    Schedule schedule() {
        if (cron == null && every == null && once == null) {
            throw CommandException.usage("schedule: expected --cron, --every or --once, got none of them");
        }
        return changed(null);
    }

    /** The same schedule but for what is given; absent means that all must be. */
    Schedule changed(@Nullable Schedule before) {
        long given = Stream.of(cron, every, once).filter(each -> each != null).count();
        if (given > 1) {
            throw CommandException.usage(
                    "schedule: expected one of --cron, --every and --once, got %d of them".formatted(given));
        }
        if (from != null && every == null) {
            throw CommandException.usage("--from: expected --every SPAN beside it, got none");
        }
        Schedule timed = timed(before);
        Missed missedAs = missed != null
                ? named("--missed", missed, Missed.values())
                : before == null ? timed.missed() : before.missed();
        Overlap overlapAs = overlap != null
                ? named("--overlap", overlap, Overlap.values())
                : before == null ? timed.overlap() : before.overlap();
        return timed.missed(missedAs).overlap(overlapAs);
    }

    private Schedule timed(@Nullable Schedule before) {
        if (zone != null && (every != null || once != null)) {
            throw CommandException.usage(
                    "--zone: expected --cron EXPR beside it, got %s; intervals and instants have none"
                            .formatted(every != null ? "--every" : "--once"));
        }
        if (cron != null) {
            ZoneId kept = before == null ? null : before.zone().orElse(null);
            Schedule utc = kept == null ? Schedule.cron(cron) : Schedule.cron(cron, kept);
            return zone == null ? utc : utc.in(zone);
        }
        if (every != null) {
            return from == null ? Schedule.every(every) : Schedule.every(every, from.from(Instant.now()));
        }
        if (once != null) {
            return Schedule.once(once.from(Instant.now()));
        }
        if (before == null) {
            throw CommandException.usage("schedule: expected --cron, --every or --once, got none of them");
        }
        return zone == null ? before : before.in(zone);
    }

    private static <E extends Enum<E>> E named(String option, String text, E[] values) {
        List<String> names = Arrays.stream(values)
                .map(value -> value.name().toLowerCase(Locale.ROOT))
                .toList();
        int at = names.indexOf(text.strip().toLowerCase(Locale.ROOT));
        if (at < 0) {
            throw CommandException.usage("%s: expected one of %s, got '%s'%s"
                    .formatted(option, String.join(", ", names), text, NearestName.hint(text, names)));
        }
        return values[at];
    }
}
