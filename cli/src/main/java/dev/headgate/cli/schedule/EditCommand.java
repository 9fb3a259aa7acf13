package dev.headgate.cli.schedule;

import dev.headgate.Headgate;
import dev.headgate.cli.Exit;
import dev.headgate.cli.GivenText;
import dev.headgate.cli.JobChoices;
import dev.headgate.cli.KnownPayloads;
import dev.headgate.cli.Shell;
import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.schedule.ScheduleStore.Put;
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
final class EditCommand implements Callable<Integer> {
    private final Shell shell;

    @Parameters(paramLabel = "NAME", description = "the schedule")
    private String name = "";

    @Option(
            names = "--payload",
            paramLabel = "JSON",
            description = "the payload of each job; @FILE reads it from a file")
    private @Nullable String json;

    @Mixin
    private TimingChoices timing = new TimingChoices();

    @Mixin
    private JobChoices choices = new JobChoices();

    EditCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.openToChange()) {
            String type = ScheduleShape.require(headgate, name).terms().job().type();
            String payload = json == null
                    ? null
                    : new KnownPayloads(new JsonCodec())
                            .check(
                                    "payload of '%s'".formatted(type),
                                    type,
                                    new GivenText(shell.in()).text("--payload", json));
            Put put = headgate.schedules().edit(name, edit -> {
                edit.job(choices::apply);
                if (timing.isUsed()) {
                    edit.schedule(timing::changed);
                }
                if (payload != null) {
                    edit.payloadJson(payload);
                }
            });
            ScheduleShape.tell(shell, headgate, name, put);
        }
        return Exit.OK;
    }
}
