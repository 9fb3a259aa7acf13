package dev.headgate.cli.schedules;

import dev.headgate.Headgate;
import dev.headgate.Schedules;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.schedule.Schedule;
import dev.headgate.schedule.ScheduleStatus;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows when a schedule is due next, stored or only thought of. */
@Command(
        name = "next",
        description = "Show the next runs of a schedule, or of a timing before it is stored.",
        footer = {"", "  headgate schedule next --cron '30 2 * * *' --zone Europe/Berlin --count 10"})
final class NextRunsCommand implements Callable<Integer> {
    private static final DateTimeFormatter LOCAL =
            DateTimeFormatter.ofPattern("EEE yyyy-MM-dd HH:mm:ss xxx", Locale.ROOT);

    private final CommandContext shell;

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "the schedule; none if a timing is given")
    private @Nullable String name;

    @Option(names = "--count", paramLabel = "N", description = "so many, 1 to 1000; 5 if not given")
    private int count = 5;

    @Mixin
    private TimingOptions timing = new TimingOptions();

    NextRunsCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        if (count < 1 || count > Schedules.SHOWN_MAX) {
            throw CommandException.usage("--count: expected 1 to %d, got %d".formatted(Schedules.SHOWN_MAX, count));
        }
        if ((name == null) != timing.isUsed()) {
            throw CommandException.usage("schedule next: expected the name of a schedule or a timing, got %s"
                    .formatted(name == null ? "neither" : "both"));
        }
        if (name == null) {
            Schedule schedule = timing.schedule();
            List<Instant> runs = schedule.next(Instant.now(), count);
            if (runs.isEmpty()) {
                throw CommandException.bad(
                        "'%s' never comes".formatted(schedule.timing().text()));
            }
            print(schedule, runs, Instant.now());
        } else {
            stored(name);
        }
        return ExitCode.OK;
    }

    private void stored(String asked) {
        try (Headgate headgate = shell.open()) {
            ScheduleStatus status = ScheduleRows.require(headgate, asked);
            List<Instant> runs = headgate.schedules().nextRuns(asked, count);
            if (runs.isEmpty() && !shell.isJson()) {
                shell.say("schedule '%s': %s".formatted(asked, status.isPaused() ? "paused" : "done, no further runs"));
            } else {
                print(status.terms().schedule(), runs, headgate.overview().at());
            }
        }
    }

    private void print(Schedule schedule, List<Instant> runs, Instant now) {
        if (shell.isJson()) {
            shell.say(JsonWriter.object()
                    .put("name", name)
                    .put("timing", schedule.timing().text())
                    .put("runs", runs));
            return;
        }
        ZoneId zone = schedule.zone().orElse(ZoneOffset.UTC);
        Table table = new Table("AT", "THERE", "FROM NOW");
        runs.forEach(at -> table.row(at, LOCAL.format(at.atZone(zone)), Wording.from(now, at)));
        shell.say(table);
    }
}
