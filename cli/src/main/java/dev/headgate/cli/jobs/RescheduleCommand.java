package dev.headgate.cli.jobs;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.TimeOption;
import dev.headgate.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Moves a waiting job to another time. */
@Command(name = "reschedule", description = "Move a job that waits to another time.")
public final class RescheduleCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(index = "0", paramLabel = "ID", description = "the number that enqueue printed")
    private JobId id = JobId.of(1);

    @Parameters(
            index = "1",
            paramLabel = "WHEN",
            description = "now, a span from now such as 5m, or a date such as 2030-01-31T09:00")
    private TimeOption when = new TimeOption.In(Duration.ZERO);

    public RescheduleCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.openToChange()) {
            // A span counts in the store's time, as a delay does.
            Instant at = when.from(headgate.explain(id).times().at());
            return new JobChanges(shell, "due at " + at, "awaiting, scheduled, queued or parked")
                    .ask(headgate, List.of(id), job -> headgate.reschedule(job, at));
        }
    }
}
