package dev.headgate.cli.jobs;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.policies.KnownNames;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.text.Names;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobPage;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists jobs. */
@Command(name = "jobs", description = "List jobs, live and ended, newest first.")
public final class JobsCommand implements Callable<Integer> {
    private static final int LOOKS_MAX = 4;

    private final CommandContext shell;

    @Option(names = "--queue", paramLabel = "NAME", description = "only of this queue")
    private @Nullable String queue;

    @Option(names = "--type", paramLabel = "NAME", description = "only of this job type")
    private @Nullable String type;

    @Option(
            names = "--state",
            paramLabel = "STATE",
            description =
                    "only in this state: awaiting, scheduled, queued, running, parked, succeeded, failed, cancelled")
    private @Nullable JobState state;

    @Option(names = "--limit", paramLabel = "N", description = "at most so many, 1 to 1000; 20 if not given")
    private int limit = 20;

    @Option(names = "--payloads", description = "in --json, with the payload and the result of each")
    private boolean withPayloads;

    @Option(names = "--before", paramLabel = "ID", description = "only jobs older than this one: the next page")
    private @Nullable JobId before;

    public JobsCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        JobFilter filter = filter();
        try (Headgate headgate = shell.open()) {
            JobPage page = look(headgate, filter);
            List<JobStatus> jobs = page.jobs();
            JobId next = page.next();
            if (jobs.isEmpty() && next == null && queue != null) {
                KnownNames.in(headgate).requireQueue(queue);
            }
            if (shell.isJson()) {
                shell.say(JsonWriter.object()
                        .put(
                                "jobs",
                                jobs.stream()
                                        .map(withPayloads ? JobRows::whole : JobRows::listed)
                                        .toList())
                        .put("next", next == null ? null : next.value()));
                return ExitCode.OK;
            }
            if (jobs.isEmpty()) {
                shell.say(next == null ? "no such jobs" : "no such jobs among the newest");
            } else {
                shell.say(JobRows.table(jobs, Instant.now()));
            }
            if (next != null) {
                shell.note((jobs.size() < limit
                                ? "only those down to %1$s were looked at; go on with --before %1$s"
                                : "there may be more: --before %s")
                        .formatted(next));
            }
        }
        return ExitCode.OK;
    }

    /** Reads a few pages; a search for a handful among millions is continued by hand. */
    private static JobPage look(Headgate headgate, JobFilter filter) {
        List<JobStatus> found = new ArrayList<>();
        JobPage page = headgate.page(filter);
        found.addAll(page.jobs());
        for (int looks = 1; looks < LOOKS_MAX && found.size() < filter.limit() && page.next() != null; looks++) {
            page = headgate.page(filter.before(page.next()).limit(filter.limit() - found.size()));
            found.addAll(page.jobs());
        }
        return new JobPage(List.copyOf(found), page.next());
    }

    private JobFilter filter() {
        JobFilter filter = JobFilter.all().limit(limit);
        if (queue != null) {
            filter = filter.queue(Names.check("queue", queue));
        }
        if (type != null) {
            filter = filter.type(Names.check("job type", type));
        }
        if (state != null) {
            filter = filter.state(state);
        }
        return before == null ? filter : filter.before(before);
    }
}
