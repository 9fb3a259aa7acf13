package dev.headgate.cli.jobs;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.job.JobId;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Remove jobs in any state, without a trace; a running one is stopped. */
@Command(name = "delete", description = "Remove jobs in any state, without a trace; a running one is stopped.")
public final class DeleteCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(arity = "1..*", paramLabel = "ID", description = "one or more job numbers")
    private List<JobId> ids = List.of();

    public DeleteCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.openToChange()) {
            return new JobChanges(shell, "deleted", "there").ask(headgate, ids, headgate::delete);
        }
    }
}
