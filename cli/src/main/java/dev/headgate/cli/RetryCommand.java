package dev.headgate.cli;

import dev.headgate.Headgate;
import dev.headgate.job.JobId;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Queue jobs again now: scheduled, parked, failed or cancelled ones. */
@Command(name = "retry", description = "Queue jobs again now: scheduled, parked, failed or cancelled ones.")
final class RetryCommand implements Callable<Integer> {
    private final Shell shell;

    @Parameters(arity = "1..*", paramLabel = "ID", description = "one or more job numbers")
    private List<JobId> ids = List.of();

    RetryCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.openToChange()) {
            return new Answers(shell, "queued again", "scheduled, parked, failed or cancelled")
                    .ask(headgate, ids, headgate::retry);
        }
    }
}
