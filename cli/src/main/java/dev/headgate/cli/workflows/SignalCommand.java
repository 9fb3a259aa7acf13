package dev.headgate.cli.workflows;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.jobs.TextOption;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.run.RunId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Sends a signal to a run, or an event to a state machine. */
@Command(
        name = "signal",
        description =
                "Send a signal to a run; it is kept until a part of the run waits for it. To a state machine, send an event.")
final class SignalCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(index = "0", paramLabel = "RUN", description = "the run's number")
    private RunId id = RunId.of(1);

    @Parameters(index = "1", paramLabel = "NAME", description = "the signal that the workflow waits for, or the event")
    private String name = "";

    @Parameters(
            index = "2",
            arity = "0..1",
            paramLabel = "JSON",
            description = "what it says; {} if not given; @FILE reads it from a file, @- from standard input")
    private String payload = "{}";

    SignalCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        String json = new TextOption(shell.in()).text("JSON", payload);
        try (Headgate headgate = shell.openToChange()) {
            if (headgate.machines().isInstance(id)) {
                headgate.machines().sendJson(id, name, json, null);
            } else {
                headgate.workflows().signalJson(id, name, json);
            }
            if (shell.isJson()) {
                shell.say(JsonWriter.object().put("id", id.value()).put("signal", name));
            } else {
                shell.say("run %s: signal '%s' sent".formatted(id, name));
            }
        }
        return ExitCode.OK;
    }
}
