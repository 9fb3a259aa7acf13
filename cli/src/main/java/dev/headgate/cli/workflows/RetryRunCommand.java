package dev.headgate.cli.workflows;

import dev.headgate.cli.CommandContext;
import dev.headgate.cli.policies.ChangeAuthor;
import dev.headgate.run.RunId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Begins a run again. */
@Command(name = "retry", description = "Begin a run that failed or was cancelled again, at the step where it stood.")
final class RetryRunCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(index = "0", paramLabel = "RUN", description = "the run's number")
    private RunId id = RunId.of(1);

    @Mixin
    private ChangeAuthor signature = new ChangeAuthor();

    RetryRunCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        return new RunChanges(shell, id)
                .ask(
                        "begins again where it stood",
                        "one without a parent that failed or was cancelled",
                        workflows -> workflows.retry(id, signature.line()));
    }
}
