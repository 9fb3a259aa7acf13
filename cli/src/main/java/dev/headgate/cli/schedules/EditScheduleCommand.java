package dev.headgate.cli.schedules;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.jobs.BuiltInPayloadCheck;
import dev.headgate.cli.jobs.JobEnqueueOptions;
import dev.headgate.cli.jobs.TextOption;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.schedule.Schedule.PutResult;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes a part of a schedule. */
@Command(
        name = "edit",
        description = "Change what is given of a schedule; the rest stays, and so do jobs that are enqueued.",
        footer = {
            "",
            "Another timing begins anew from now. Gates are added; to take one away, use 'schedule add --replace'.",
            "",
            "  headgate schedule edit nightly --cron '30 3 * * *'",
            "  headgate schedule edit poll --overlap buffer --priority 5"
        })
final class EditScheduleCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(paramLabel = "NAME", description = "the schedule")
    private String name = "";

    @Option(
            names = "--payload",
            paramLabel = "JSON",
            description = "the payload of each job; @FILE reads it from a file")
    private @Nullable String json;

    @Mixin
    private TimingOptions timing = new TimingOptions();

    @Mixin
    private JobEnqueueOptions choices = new JobEnqueueOptions();

    EditScheduleCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.openToChange()) {
            String type = ScheduleRows.require(headgate, name).terms().job().type();
            String payload = json == null
                    ? null
                    : new BuiltInPayloadCheck(new JsonCodec())
                            .check(
                                    "payload of '%s'".formatted(type),
                                    type,
                                    new TextOption(shell.in()).text("--payload", json));
            PutResult put = headgate.schedules().edit(name, edit -> {
                edit.job(choices::apply);
                if (timing.isUsed()) {
                    edit.schedule(timing::changed);
                }
                if (payload != null) {
                    edit.payloadJson(payload);
                }
            });
            ScheduleRows.tell(shell, headgate, name, put);
        }
        return ExitCode.OK;
    }
}
