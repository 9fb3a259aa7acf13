package dev.headgate.cli.workflows;

import dev.headgate.cli.CommandContext;
import dev.headgate.cli.policies.ChangeAuthor;
import dev.headgate.run.RunId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Pauses a run. */
@Command(
        name = "pause",
        description = "Let nothing of a run or below it start until it is resumed; what runs ends and counts.")
final class PauseRunCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(index = "0", paramLabel = "RUN", description = "the run's number")
    private RunId id = RunId.of(1);

    @Mixin
    private ChangeAuthor signature = new ChangeAuthor();

    PauseRunCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        return new RunChanges(shell, id)
                .ask("paused", "one under way that is not paused", workflows -> workflows.pause(id, signature.line()));
    }
}
