package dev.headgate.cli.jobs;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.job.JobId;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Queue jobs again now: scheduled, parked, failed or cancelled ones. */
@Command(name = "retry", description = "Queue jobs again now: scheduled, parked, failed or cancelled ones.")
public final class RetryCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(arity = "1..*", paramLabel = "ID", description = "one or more job numbers")
    private List<JobId> ids = List.of();

    public RetryCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.openToChange()) {
            return new JobChanges(shell, "queued again", "scheduled, parked, failed or cancelled")
                    .ask(headgate, ids, headgate::retry);
        }
    }
}
