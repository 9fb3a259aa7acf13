package dev.headgate.cli.workflow;

import dev.headgate.cli.Shell;
import dev.headgate.cli.policy.Signature;
import dev.headgate.run.RunId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Begins a run again. */
@Command(name = "retry", description = "Begin a run that failed or was cancelled again, at the step where it stood.")
final class RetryCommand implements Callable<Integer> {
    private final Shell shell;

    @Parameters(index = "0", paramLabel = "RUN", description = "the run's number")
    private RunId id = RunId.of(1);

    @Mixin
    private Signature signature = new Signature();

    RetryCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        return new RunAnswers(shell, id)
                .ask(
                        "begins again where it stood",
                        "one without a parent that failed or was cancelled",
                        workflows -> workflows.retry(id, signature.line()));
    }
}
