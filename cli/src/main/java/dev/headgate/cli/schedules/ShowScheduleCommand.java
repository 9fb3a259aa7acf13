package dev.headgate.cli.schedules;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.cli.jobs.JobRows;
import dev.headgate.internal.json.PairsText;
import dev.headgate.job.JobSpec;
import dev.headgate.limit.Spans;
import dev.headgate.schedule.ScheduleStatus;
import dev.headgate.schedule.ScheduleTerms;
import dev.headgate.schedule.ScheduledRun;
import dev.headgate.server.api.ScheduleJson;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows one schedule, the job it enqueues and what became of its latest runs. */
@Command(name = "show", description = "Show one schedule, the job that it enqueues, and its latest runs.")
final class ShowScheduleCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(paramLabel = "NAME", description = "the schedule")
    private String name = "";

    @Option(names = "--runs", paramLabel = "N", description = "so many of its latest runs; 10 if not given")
    private int runsMax = 10;

    ShowScheduleCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.open()) {
            ScheduleStatus status = ScheduleRows.require(headgate, name);
            List<ScheduledRun> runs = headgate.schedules().runs(name, runsMax);
            if (shell.isJson()) {
                shell.say(ScheduleRows.json(status)
                        .put("runs", runs.stream().map(ScheduleJson::run).toList()));
            } else {
                print(status, headgate.overview().at());
                print(runs);
            }
        }
        return ExitCode.OK;
    }

    private void print(ScheduleStatus status, Instant now) {
        ScheduleTerms terms = status.terms();
        JobSpec job = terms.job();
        Instant next = status.nextAt();
        Instant last = status.lastAt();
        shell.say("schedule '%s': %s".formatted(status.name(), terms.timing()));
        field("next", next == null ? ScheduleRows.next(status) : "%s, %s".formatted(next, Wording.from(now, next)));
        field("last", last == null ? null : "%s, %s".formatted(last, Wording.from(now, last)));
        field("missed", Wording.word(terms.missed()));
        field("overlap", Wording.word(terms.overlap()));
        field("note", status.note());
        field("type", job.type());
        field("queue", job.lane().queue());
        field(
                "gates",
                job.lane().isPlain() ? null : String.join(", ", job.lane().gates()));
        field("cost", job.cost().text());
        field("priority", job.order().priority());
        field("attempts", job.tries().attemptsMax());
        field("labels", JobRows.labels(job.attributes().labels()));
        field("headers", shell.excerpt(PairsText.of(job.attributes().headers())));
        field("delay", terms.delay().isZero() ? null : Spans.text(terms.delay()));
        field("payload", shell.excerpt(job.payload()));
        field("created", status.createdAt());
    }

    private void print(List<ScheduledRun> runs) {
        if (!runs.isEmpty()) {
            shell.say("");
            Table table = new Table("RUN OF", "ENQUEUED", ">JOB", "STATE");
            runs.forEach(run -> {
                var state = run.state();
                table.row(run.at(), run.firedAt(), run.job(), state == null ? "gone" : Wording.word(state));
            });
            shell.say(table);
        }
    }

    private void field(String label, @Nullable Object value) {
        shell.field(label, value);
    }
}
