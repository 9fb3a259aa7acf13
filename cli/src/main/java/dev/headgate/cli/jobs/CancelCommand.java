package dev.headgate.cli.jobs;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.job.JobId;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** End jobs that wait, and ask the workers of running ones to stop them. */
@Command(name = "cancel", description = "End jobs that wait, and ask the workers of running ones to stop them.")
public final class CancelCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(arity = "1..*", paramLabel = "ID", description = "one or more job numbers")
    private List<JobId> ids = List.of();

    public CancelCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.openToChange()) {
            return new JobChanges(shell, "cancelled", "waiting or running").ask(headgate, ids, headgate::cancel);
        }
    }
}
