package dev.headgate.cli.schedules;

import dev.headgate.Headgate;
import dev.headgate.JsonJob;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.jobs.BuiltInPayloadCheck;
import dev.headgate.cli.jobs.JobEnqueueOptions;
import dev.headgate.cli.jobs.TextOption;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.text.Names;
import dev.headgate.schedule.Schedule;
import dev.headgate.schedule.Schedule.PutResult;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Stores a new schedule. */
@Command(
        name = "add",
        description = "Store a schedule: at each of its instants one job of this type is enqueued.",
        footer = {
            "",
            "When clocks change, a time that is left out comes right after the gap, and one that comes twice counts the",
            "first time; an expression for every hour just follows the clock. See docs/guides/schedules.md.",
            "",
            "  headgate schedule add nightly report --cron '0 3 * * *' --zone Europe/Berlin --missed all",
            "  headgate schedule add ping http '{\"url\":\"https://api.example.com/ping\"}' --every 1m --overlap skip"
        })
final class AddScheduleCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(index = "0", paramLabel = "NAME", description = "what to call it")
    private String name = "";

    @Parameters(index = "1", paramLabel = "TYPE", description = "the job type, by which a worker finds its handler")
    private String type = "";

    @Parameters(
            index = "2",
            arity = "0..1",
            paramLabel = "JSON",
            description =
                    "the payload of each job; {} if not given; @FILE reads it from a file, @- from standard input")
    private String json = "{}";

    @Option(names = "--replace", description = "store it also if there is one of that name, instead of that one")
    private boolean isReplacing;

    @Mixin
    private TimingOptions timing = new TimingOptions();

    @Mixin
    private JobEnqueueOptions choices = new JobEnqueueOptions();

    AddScheduleCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        Names.check("schedule", name);
        Schedule schedule = timing.schedule();
        String payload = new BuiltInPayloadCheck(new JsonCodec())
                .check("payload of '%s'".formatted(type), type, new TextOption(shell.in()).text("JSON", json));
        JsonJob job = new JsonJob(type, payload, choices::apply);
        try (Headgate headgate =
                shell.openOrCreate(imagined -> imagined.schedules().putJson(name, schedule, job))) {
            if (!isReplacing && headgate.schedules().find(name).isPresent()) {
                throw CommandException.bad(
                        "schedule '%s': there is one already; change it with 'headgate schedule edit', or say --replace"
                                .formatted(name));
            }
            PutResult put = headgate.schedules().putJson(name, schedule, job);
            ScheduleRows.tell(shell, headgate, name, put);
        }
        return ExitCode.OK;
    }
}
