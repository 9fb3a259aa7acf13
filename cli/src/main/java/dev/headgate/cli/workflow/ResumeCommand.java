package dev.headgate.cli.workflow;

import dev.headgate.cli.Shell;
import dev.headgate.cli.policy.Signature;
import dev.headgate.run.RunId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lets a run go on. */
@Command(name = "resume", description = "Let a run go on that was paused, or that its budget stopped.")
final class ResumeCommand implements Callable<Integer> {
    private final Shell shell;

    @Parameters(index = "0", paramLabel = "RUN", description = "the run's number")
    private RunId id = RunId.of(1);

    @Mixin
    private Signature signature = new Signature();

    ResumeCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        return new RunAnswers(shell, id)
                .ask(
                        "goes on",
                        "one that is paused, or stopped by a budget that has been topped up",
                        workflows -> workflows.resume(id, signature.line()));
    }
}
