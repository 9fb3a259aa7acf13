package dev.headgate.cli.workflows;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.run.RunEvent;
import dev.headgate.run.RunId;
import dev.headgate.run.RunStatus.Work;
import dev.headgate.server.api.RunJson;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Tells what has happened to a run. */
@Command(
        name = "timeline",
        aliases = "events",
        description = "Tell what has happened to a run and everything below it, in order.")
final class TimelineCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(paramLabel = "RUN", description = "the run's number")
    private RunId id = RunId.of(1);

    @Option(names = "--data", description = "show the data that each step was entered with; --json always has it")
    private boolean withData;

    TimelineCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.open()) {
            List<RunEvent> events = headgate.workflows().timeline(id);
            List<Work> steps = headgate.workflows().work(id);
            if (shell.isJson()) {
                shell.say(JsonWriter.object()
                        .put("id", id.value())
                        .put("events", events.stream().map(RunJson::event).toList())
                        .put("steps", steps.stream().map(RunJson::work).toList()));
            } else {
                Table table = new Table("AT", ">PART", ">EVENT", "WHAT", "STEP", withData ? "DATA" : "DETAIL");
                events.forEach(event -> table.row(
                        event.at(),
                        event.part(),
                        event.number(),
                        Wording.word(event.kind()),
                        event.step() == null ? "-" : event.step(),
                        last(event)));
                shell.say(table);
                if (!steps.isEmpty()) {
                    shell.say("");
                    shell.say(
                            "now: " + RunRows.counts(steps, headgate.overview().at()));
                }
            }
        }
        return ExitCode.OK;
    }

    private String last(RunEvent event) {
        @Nullable String text = withData ? shell.excerpt(event.state()) : event.detail();
        return text == null ? "" : text.lines().findFirst().orElse("");
    }
}
