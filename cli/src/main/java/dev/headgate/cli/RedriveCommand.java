package dev.headgate.cli;

import dev.headgate.Headgate;
import dev.headgate.cli.text.Json;
import dev.headgate.cli.text.Spoken;
import dev.headgate.job.JobState;
import dev.headgate.job.Names;
import dev.headgate.store.JobFilter;
import dev.headgate.store.QueueCount;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Brings failed jobs back to their queues. */
@Command(
        name = "redrive",
        description = "Queue all failed jobs again, or those that match; they get all attempts anew.")
final class RedriveCommand implements Callable<Integer> {
    private final Shell shell;

    @Option(names = "--queue", paramLabel = "NAME", description = "only of this queue")
    private @Nullable String queue;

    @Option(names = "--type", paramLabel = "NAME", description = "only of this job type")
    private @Nullable String type;

    @Option(names = "--cancelled", description = "the cancelled jobs instead of the failed ones")
    private boolean isForCancelled;

    RedriveCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        JobState state = isForCancelled ? JobState.CANCELLED : JobState.FAILED;
        JobFilter filter = JobFilter.all().state(state);
        filter = queue == null ? filter : filter.queue(Names.check("queue", queue));
        filter = type == null ? filter : filter.type(Names.check("job type", type));
        try (Headgate headgate = shell.open()) {
            long redriven = redrive(headgate, filter, state);
            if (redriven == 0 && queue != null) {
                Known.in(headgate).requireQueue(queue);
            }
            if (shell.isJson()) {
                shell.say(Json.object().put("redriven", redriven));
            } else {
                shell.say("%s queued again".formatted(Spoken.count(redriven, "job")));
            }
        }
        return Exit.OK;
    }

    /** Stops after as many as there were at the beginning: jobs that fail again meanwhile are not driven in a circle. */
    private long redrive(Headgate headgate, JobFilter filter, JobState state) {
        long left = headgate.overview().jobs().stream()
                .filter(count -> count.state() == state && (queue == null || queue.equals(count.queue())))
                .mapToLong(QueueCount::jobs)
                .sum();
        long done = 0;
        while (left > 0) {
            int batch = headgate.redrive(filter.limit((int) Math.min(JobFilter.LIMIT_MAX, left)));
            if (batch == 0) {
                break;
            }
            done += batch;
            left -= batch;
        }
        return done;
    }
}
