package dev.headgate.cli.workflow;

import dev.headgate.cli.Shell;
import dev.headgate.cli.policy.Signature;
import dev.headgate.run.RunId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Cancels a run. */
@Command(name = "cancel", description = "Cancel a run and everything below it; its compensations run before it ends.")
final class CancelCommand implements Callable<Integer> {
    private final Shell shell;

    @Parameters(index = "0", paramLabel = "RUN", description = "the run's number")
    private RunId id = RunId.of(1);

    @Mixin
    private Signature signature = new Signature();

    CancelCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        return new RunAnswers(shell, id)
                .ask("is being cancelled", "one under way", workflows -> workflows.cancel(id, signature.line()));
    }
}
