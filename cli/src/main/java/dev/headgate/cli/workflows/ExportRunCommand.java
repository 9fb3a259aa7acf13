package dev.headgate.cli.workflows;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.run.RunId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Writes everything about a run as JSON. */
@Command(
        name = "export",
        description = "Write everything about a run as one JSON document: status, budget, parts, timeline, artifacts.")
final class ExportRunCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(paramLabel = "RUN", description = "the run's number")
    private RunId id = RunId.of(1);

    ExportRunCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.open()) {
            shell.say(headgate.workflows().export(id));
        }
        return ExitCode.OK;
    }
}
