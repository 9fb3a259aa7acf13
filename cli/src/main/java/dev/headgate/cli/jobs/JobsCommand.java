package dev.headgate.cli.jobs;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.CommandException;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Wording;
import dev.headgate.cli.policies.NameChecks;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.text.Names;
import dev.headgate.job.JobCursor;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobPage;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.server.api.JobJson;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
                    "only in this state: awaiting, scheduled, queued (or waiting, the same), running, parked, succeeded, failed, cancelled")
    private @Nullable JobState state;

    @Option(names = "--limit", paramLabel = "N", description = "at most so many, 1 to 1000; 20 if not given")
    private int limit = 20;

    @Option(names = "--payloads", description = "in --json, with the payload and the result of each")
    private boolean withPayloads;

    @Option(names = "--gate", paramLabel = "NAME", description = "only jobs that name this gate")
    private @Nullable String gate;

    @Option(names = "--holding", description = "with --gate: only those that run and hold a place of it")
    private boolean isHolding;

    @Option(
            names = "--waiting",
            description = "with --gate: only those that wait because of it, in the order of its line")
    private boolean isWaiting;

    @Mixin
    private final SearchOptions search = new SearchOptions();

    @Option(names = "--before", paramLabel = "ID", description = "only jobs older than this one")
    private @Nullable JobId before;

    @Option(names = "--cursor", paramLabel = "TEXT", description = "the next page, as the page before named it")
    private @Nullable JobCursor cursor;

    public JobsCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        JobFilter filter = filter();
        try (Headgate headgate = shell.open()) {
            JobPage page = look(headgate, filter);
            List<JobStatus> jobs = page.jobs();
            JobCursor next = page.next();
            if (jobs.isEmpty() && next == null) {
                requireKnown(headgate);
            }
            if (shell.isJson()) {
                shell.say(JsonWriter.object()
                        .put(
                                "jobs",
                                jobs.stream()
                                        .map(withPayloads ? JobRows::whole : JobJson::listed)
                                        .toList())
                        .put("next", next == null || next.isOfLine() ? null : next.id())
                        .put("cursor", next == null ? null : next.text())
                        .put("partial", page.isPartial()));
                return ExitCode.OK;
            }
            if (jobs.isEmpty()) {
                shell.say(next == null ? "no such jobs" : "no such jobs so far");
            } else {
                shell.say(JobRows.table(jobs, Instant.now()));
            }
            if (next != null) {
                shell.note(
                        page.isPartial()
                                ? "%s were looked at and few matched; go on with --cursor %s"
                                        .formatted(Wording.count(page.looked(), "job"), next)
                                : "there may be more: --cursor %s".formatted(next));
            }
        }
        return ExitCode.OK;
    }

    /** Reads a few pages; a search for a handful among millions is continued by hand. */
    private static JobPage look(Headgate headgate, JobFilter filter) {
        List<JobStatus> found = new ArrayList<>();
        JobPage page = headgate.page(filter);
        found.addAll(page.jobs());
        long looked = page.looked();
        for (int looks = 1; looks < LOOKS_MAX && page.isPartial() && page.next() != null; looks++) {
            page = headgate.page(filter.after(page.next()).limit(filter.limit() - found.size()));
            found.addAll(page.jobs());
            looked += page.looked();
        }
        return new JobPage(List.copyOf(found), page.next(), page.isPartial(), looked);
    }

    /** An unknown name must not look like an idle one. */
    private void requireKnown(Headgate headgate) {
        if (queue != null) {
            NameChecks.requireQueue(headgate, queue);
        }
        if (gate != null) {
            NameChecks.requireGate(headgate, gate);
        }
    }

    private JobFilter filter() {
        if (isHolding && isWaiting) {
            throw CommandException.usage("expected --holding or --waiting, got both");
        }
        if (gate == null && (isHolding || isWaiting)) {
            throw CommandException.usage(
                    "%s: expected --gate NAME with it".formatted(isHolding ? "--holding" : "--waiting"));
        }
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
        filter = gate == null ? filter : atGate(filter, Names.check("gate", gate));
        if (before != null && cursor != null) {
            throw CommandException.usage("expected --before or --cursor, got both");
        }
        filter = search.add(filter, Instant.now());
        filter = cursor == null ? filter : filter.after(cursor);
        return before == null ? filter : filter.before(before);
    }

    private JobFilter atGate(JobFilter filter, String name) {
        return isHolding ? filter.holding(name) : isWaiting ? filter.waiting(name) : filter.gate(name);
    }
}
