package dev.headgate.cli.jobs;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Wording;
import dev.headgate.cli.policies.NameChecks;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.text.Names;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobPage;
import dev.headgate.job.JobState;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Brings failed jobs back to their queues. */
@Command(
        name = "redrive",
        description = "Queue all failed jobs again, or those that match; they get all attempts anew.")
public final class RedriveCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Option(names = "--queue", paramLabel = "NAME", description = "only of this queue")
    private @Nullable String queue;

    @Option(names = "--type", paramLabel = "NAME", description = "only of this job type")
    private @Nullable String type;

    @Option(names = "--label", paramLabel = "NAME=VALUE", description = "only with this label; give it again for more")
    private List<String> labels = List.of();

    @Option(names = "--cancelled", description = "the cancelled jobs instead of the failed ones")
    private boolean isForCancelled;

    public RedriveCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        JobState state = isForCancelled ? JobState.CANCELLED : JobState.FAILED;
        JobFilter filter = JobFilter.all().state(state);
        filter = queue == null ? filter : filter.queue(Names.check("queue", queue));
        filter = type == null ? filter : filter.type(Names.check("job type", type));
        for (Map.Entry<String, String> label :
                AttributeOptions.pairs("--label", labels).entrySet()) {
            filter = filter.label(label.getKey(), label.getValue());
        }
        try (Headgate headgate = shell.openToChange()) {
            long redriven = redrive(headgate, filter);
            if (redriven == 0 && queue != null) {
                NameChecks.requireQueue(headgate, queue);
            }
            if (shell.isJson()) {
                shell.say(JsonWriter.object().put("redriven", redriven));
            } else {
                shell.say("%s queued again".formatted(Wording.count(redriven, "job")));
            }
        }
        return ExitCode.OK;
    }

    /** From the newest to the oldest, once: a job that fails again meanwhile is not revived twice. */
    private long redrive(Headgate headgate, JobFilter filter) {
        long done = 0;
        JobFilter rest = filter.limit(JobFilter.LIMIT_MAX);
        JobPage page;
        do {
            page = headgate.page(rest);
            if (!page.jobs().isEmpty()) {
                done += headgate.redrive(rest.limit(page.jobs().size()));
            }
            shell.doing("queued again %s".formatted(Wording.count(done, "job")));
            rest = page.next() == null ? rest : rest.after(page.next());
        } while (page.next() != null);
        return done;
    }
}
