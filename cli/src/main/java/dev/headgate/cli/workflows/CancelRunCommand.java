package dev.headgate.cli.workflows;

import dev.headgate.cli.CommandContext;
import dev.headgate.cli.policies.ChangeAuthor;
import dev.headgate.run.RunId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Cancels a run. */
@Command(name = "cancel", description = "Cancel a run and everything below it; its compensations run before it ends.")
final class CancelRunCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(index = "0", paramLabel = "RUN", description = "the run's number")
    private RunId id = RunId.of(1);

    @Mixin
    private ChangeAuthor signature = new ChangeAuthor();

    CancelRunCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        return new RunChanges(shell, id)
                .ask(
                        "is being cancelled",
                        "one under way that is not being cancelled yet",
                        workflows -> workflows.cancel(id, signature.line()));
    }
}
