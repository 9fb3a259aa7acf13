package dev.headgate.cli.workflows;

import dev.headgate.cli.CommandContext;
import dev.headgate.cli.policies.ChangeAuthor;
import dev.headgate.run.RunId;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Begins a run again at an earlier step. */
@Command(
        name = "rewind",
        description = "Begin a run again at a step it has entered; what it has spent since is given back.")
final class RewindCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(index = "0", paramLabel = "RUN", description = "the run's number")
    private RunId id = RunId.of(1);

    @Parameters(
            index = "1",
            paramLabel = "STEP",
            description = "a step that it has entered; 'workflow draw' shows them")
    private String step = "";

    @Mixin
    private ChangeAuthor signature = new ChangeAuthor();

    RewindCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        return new RunChanges(shell, id)
                .ask(
                        "begins again at step '%s'".formatted(step),
                        "one without a parent",
                        workflows -> workflows.rewind(id, step, signature.line()));
    }
}
