package dev.headgate.cli.workflow;

import dev.headgate.Headgate;
import dev.headgate.cli.Exit;
import dev.headgate.cli.Shell;
import dev.headgate.run.RunId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Writes everything about a run as JSON. */
@Command(
        name = "export",
        description = "Write everything about a run as one JSON document: status, budget, parts, timeline, artifacts.")
final class ExportCommand implements Callable<Integer> {
    private final Shell shell;

    @Parameters(paramLabel = "RUN", description = "the run's number")
    private RunId id = RunId.of(1);

    ExportCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.open()) {
            shell.say(headgate.workflows().export(id));
        }
        return Exit.OK;
    }
}
