package dev.headgate.cli.jobs;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.job.JobId;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes the priority of jobs that wait. */
@Command(name = "priority", description = "Give jobs that wait another priority, and the place that goes with it.")
public final class PriorityCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(arity = "1..*", paramLabel = "ID", description = "one or more job numbers")
    private List<JobId> ids = List.of();

    @Option(names = "--to", required = true, paramLabel = "N", description = "-1000 to 1000, higher first; 0 is normal")
    private int priority;

    public PriorityCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        try (Headgate headgate = shell.openToChange()) {
            return new JobChanges(shell, "priority " + priority, "awaiting, scheduled, queued or parked")
                    .ask(headgate, ids, id -> headgate.changePriority(id, priority));
        }
    }
}
