package dev.headgate.cli.jobs;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.ExitCode;
import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.json.PairsText;
import dev.headgate.job.Attempt;
import dev.headgate.job.Dependency;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.job.LogLine;
import dev.headgate.limit.Spans;
import dev.headgate.schedule.ScheduledRun;
import dev.headgate.server.api.JobJson;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows everything about one job. */
@Command(
        name = "job",
        description =
                "Show one job: what was asked for, its attempts, its log, its result. With --follow: as it happens.")
public final class JobCommand implements Callable<Integer> {
    private final CommandContext shell;

    @Parameters(paramLabel = "ID", description = "the number that enqueue printed")
    private JobId id = JobId.of(1);

    @Option(
            names = {"-f", "--follow"},
            description = "print its states, log and progress as they come, until it ends; exit code 1 if it did not"
                    + " succeed; with --json one document a line")
    private boolean isFollowing;

    public JobCommand(CommandContext shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() throws InterruptedException {
        try (Headgate headgate = shell.open()) {
            if (isFollowing) {
                shell.sayNothingMeanwhile();
                CountDownLatch never = new CountDownLatch(1);
                JobStatus ended = new JobFollower(
                                shell, headgate, id, span -> never.await(span.toMillis(), TimeUnit.MILLISECONDS))
                        .follow();
                return ended.state() == JobState.SUCCEEDED ? ExitCode.OK : ExitCode.BAD;
            }
            JobStatus job = headgate.status(id);
            List<Attempt> attempts = headgate.attempts(id);
            List<LogLine> log = headgate.log(id);
            List<Dependency> after = headgate.dependencies(id);
            ScheduledRun run = headgate.schedules().findRun(id).orElse(null);
            if (shell.isJson()) {
                shell.say(JobRows.whole(job)
                        .put("schedule", run == null ? null : json(run))
                        .put("after", after.stream().map(JobJson::dependency).toList())
                        .put("returned", returned(attempts))
                        .put("attempts", attempts.stream().map(JobJson::attempt).toList())
                        .put("log", log.stream().map(JobJson::line).toList()));
            } else {
                print(job, run, returned(attempts));
                print(after, attempts, log);
            }
        }
        return ExitCode.OK;
    }

    /** How often its workers gave it back because of trouble of their own. */
    private static long returned(List<Attempt> attempts) {
        return attempts.stream()
                .filter(attempt -> attempt.outcome().equals("returned"))
                .count();
    }

    private static JsonWriter json(ScheduledRun run) {
        return JsonWriter.object().put("name", run.schedule()).put("at", run.at());
    }

    private void print(JobStatus job, @Nullable ScheduledRun run, long returned) {
        shell.say("job %s: %s".formatted(job.id(), JobRows.state(job)));
        field("schedule", run == null ? null : "%s, for %s".formatted(run.schedule(), run.at()));
        field("type", job.type());
        field("queue", job.queue());
        field("gates", job.gates().isEmpty() ? null : String.join(", ", job.gates()));
        field("cost", job.spec().cost().text());
        field(
                "priority",
                job.spec().order().priority() == 0 ? null : job.spec().order().priority());
        field("front", job.spec().order().isFront() ? "yes" : null);
        field("keeps place", job.spec().order().keepsPlace() ? "yes" : null);
        field("dedup", job.spec().dedup().key());
        field("labels", JobRows.labels(job.labels()));
        field("headers", shell.excerpt(PairsText.of(job.headers())));
        Duration timeout = job.spec().tries().timeout();
        field("timeout", timeout == null ? null : Spans.text(timeout));
        field("deadline", job.spec().tries().deadline());
        field("retry", job.spec().tries().retry());
        field(
                "attempt",
                "%d of %d".formatted(job.leases().attempt(), job.spec().tries().attemptsMax()));
        field(
                "lost",
                job.leases().lost() == 0
                        ? null
                        : "%d times with its worker".formatted(job.leases().lost()));
        field(
                "returned",
                returned == 0 ? null : "%d times by a worker in trouble, no attempt used".formatted(returned));
        field("epoch", job.leases().epoch());
        field("worker", job.leases().worker());
        field("enqueued", job.times().enqueuedAt());
        field("ready since", job.times().readySince());
        field("started", job.times().startedAt());
        Instant finished = job.times().finishedAt();
        Instant started = job.times().startedAt();
        field(
                "finished",
                finished == null || started == null
                        ? finished
                        : "%s, after %s".formatted(finished, Wording.span(Duration.between(started, finished))));
        JobStatus.Progress progress = job.report().progress();
        field("progress", progress == null ? null : "%d %% %s".formatted(progress.percent(), progress.message()));
        field("detail", job.report().detail());
        field("payload", shell.excerpt(job.spec().payload()));
        field("result", shell.excerpt(job.report().result()));
    }

    private void print(List<Dependency> after, List<Attempt> attempts, List<LogLine> log) {
        if (!after.isEmpty()) {
            shell.say("");
            Table table = new Table(">AFTER JOB", "STATE", "CHILD", "IF UNMET", "WAITS");
            after.forEach(each -> table.row(
                    each.job(),
                    state(each.state()),
                    each.isChild() ? "yes" : "no",
                    Wording.word(each.unmet()),
                    each.isOpen() ? "yes" : "no"));
            shell.say(table);
        }
        if (!attempts.isEmpty()) {
            shell.say("");
            Table table = new Table(">ATTEMPT", ">EPOCH", "OUTCOME", "ENDED", "WORKER", "ERROR");
            attempts.forEach(attempt -> table.row(
                    attempt.number(),
                    attempt.epoch(),
                    attempt.outcome(),
                    attempt.endedAt(),
                    attempt.worker(),
                    attempt.error().lines().findFirst().orElse("")));
            shell.say(table);
        }
        if (!log.isEmpty()) {
            shell.say("");
            Table table = new Table("LOGGED", ">EPOCH", "LINE");
            log.forEach(line -> table.row(line.at(), line.epoch(), line.text()));
            shell.say(table);
        }
    }

    private static String state(@Nullable JobState state) {
        return state == null ? "gone" : Wording.word(state);
    }

    private void field(String name, @Nullable Object value) {
        shell.field(name, value);
    }
}
