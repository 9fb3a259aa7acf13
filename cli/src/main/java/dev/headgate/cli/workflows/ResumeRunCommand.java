package dev.headgate.cli.workflows;

import dev.headgate.cli.CommandContext;
import dev.headgate.cli.policies.ChangeAuthor;
import dev.headgate.run.RunId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lets a run go on. */
@Command(name = "resume", description = "Let a run go on that was paused, or that its budget stopped.")
final class ResumeRunCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(index = "0", paramLabel = "RUN", description = "the run's number")
    private RunId id = RunId.of(1);

    @Mixin
    private ChangeAuthor signature = new ChangeAuthor();

    ResumeRunCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        return new RunChanges(shell, id)
                .ask(
                        "goes on",
                        "one that is paused, or stopped by a budget that has been topped up",
                        workflows -> workflows.resume(id, signature.line()));
    }
}
