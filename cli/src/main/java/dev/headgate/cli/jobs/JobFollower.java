package dev.headgate.cli.jobs;

import dev.headgate.Headgate;
import dev.headgate.cli.CommandContext;
import dev.headgate.cli.display.Wording;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.job.Attempt;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.job.LogLine;
import dev.headgate.server.api.JobJson;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Prints what happens to a job as it happens: its states, its log, its progress, attempts that fail, its end. */
final class JobFollower {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final CommandContext shell;
    private final Headgate headgate;
    private final JobId id;
    private final Pause pause;
    private JobState state = JobState.PARKED;
    private long epoch = -1;
    private int attempts;
    private JobStatus.@Nullable Progress progress;
    private List<LogLine> log = List.of();

    /** Waits between two looks at the store. */
    @FunctionalInterface
    interface Pause {
        void await(Duration span) throws InterruptedException;
    }

    JobFollower(CommandContext shell, Headgate headgate, JobId id, Pause pause) {
        this.shell = shell;
        this.headgate = headgate;
        this.id = id;
        this.pause = pause;
    }

    /** Returns the job as it was when it had ended. */
    JobStatus follow() throws InterruptedException {
        Duration span = FIRST_PAUSE;
        JobStatus job = headgate.status(id);
        while (true) {
            boolean hasNews = tell(job);
            if (job.state().isTerminal()) {
                return job;
            }
            span = hasNews ? FIRST_PAUSE : shorter(span.multipliedBy(3).dividedBy(2), LONGEST_PAUSE);
            pause.await(span);
            job = headgate.status(id);
        }
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    /**
     * Tells what is new. A job that waits is one row that is read; its log and its attempts are read only if it runs or has run
     * since the last look.
     */
    private boolean tell(JobStatus job) {
        boolean hasMoved = state != job.state() || epoch != job.leases().epoch();
        boolean isRunning = job.state() == JobState.RUNNING;
        boolean hasStarted = job.leases().epoch() > 0;
        state = job.state();
        epoch = job.leases().epoch();
        if (hasMoved && isRunning) {
            tellAttempts();
            tellState(job);
        }
        boolean hasLogged = hasStarted && (hasMoved || isRunning) && tellLog();
        boolean hasProgressed = tellProgress(job.report().progress());
        if (hasMoved && !isRunning) {
            if (hasStarted) {
                tellAttempts();
            }
            tellState(job);
        }
        return hasMoved || hasLogged || hasProgressed;
    }

    private boolean tellLog() {
        List<LogLine> now = headgate.log(id);
        int known = overlap(log, now);
        if (known == 0 && !log.isEmpty() && !now.isEmpty()) {
            shell.note("job %s: logged faster than it could be read; lines are missing here".formatted(id));
        }
        List<LogLine> fresh = now.subList(known, now.size());
        for (LogLine line : fresh) {
            if (shell.isJson()) {
                shell.say(event("log").putAll(JobJson.line(line)));
            } else {
                shell.say("  %s  %s".formatted(line.at(), line.text()));
            }
        }
        log = now;
        return !fresh.isEmpty();
    }

    /** How many of the first lines were known before: the store drops the oldest and adds the newest. */
    static int overlap(List<LogLine> before, List<LogLine> now) {
        for (int dropped = 0; dropped < before.size(); dropped++) {
            int kept = before.size() - dropped;
            if (kept <= now.size() && before.subList(dropped, before.size()).equals(now.subList(0, kept))) {
                return kept;
            }
        }
        return 0;
    }

    private boolean tellProgress(JobStatus.@Nullable Progress now) {
        if (now == null || now.equals(progress)) {
            return false;
        }
        progress = now;
        if (shell.isJson()) {
            shell.say(event("progress").put("percent", now.percent()).put("message", now.message()));
        } else {
            shell.say("  %d %% %s".formatted(now.percent(), now.message()).stripTrailing());
        }
        return true;
    }

    private void tellAttempts() {
        List<Attempt> all = headgate.attempts(id);
        for (Attempt attempt : all.subList(Math.min(attempts, all.size()), all.size())) {
            if (shell.isJson()) {
                shell.say(event("attempt").putAll(JobJson.attempt(attempt)));
            } else {
                shell.say("  attempt %d: %s%s"
                        .formatted(
                                attempt.number(),
                                attempt.outcome(),
                                attempt.error().isBlank() ? "" : ": " + first(attempt.error())));
            }
        }
        attempts = all.size();
    }

    private void tellState(JobStatus job) {
        if (job.state().isTerminal()) {
            tellEnd(job);
            return;
        }
        String summary = job.state().isWaiting() ? headgate.explain(id).summary() : null;
        if (shell.isJson()) {
            shell.say(event("state")
                    .put("state", job.state())
                    .put("epoch", job.leases().epoch())
                    .put("attempt", job.leases().attempt())
                    .put("worker", job.leases().worker())
                    .put("summary", summary));
        } else if (summary != null) {
            shell.say("job %s: %s".formatted(id, first(summary)));
        } else {
            shell.say("job %s: running, attempt %d of %d, worker %s"
                    .formatted(
                            id,
                            job.leases().attempt(),
                            job.spec().tries().attemptsMax(),
                            job.leases().worker()));
        }
    }

    private void tellEnd(JobStatus job) {
        if (shell.isJson()) {
            shell.say(event("ended").putAll(JobRows.whole(job)));
            return;
        }
        Instant started = job.times().startedAt();
        Instant finished = job.times().finishedAt();
        shell.say("job %s: %s%s"
                .formatted(
                        id,
                        Wording.word(job.state()),
                        started == null || finished == null
                                ? ""
                                : " after " + Wording.span(Duration.between(started, finished))));
        shell.field("detail", job.report().detail());
        shell.field("result", shell.excerpt(job.report().result()));
    }

    private JsonWriter event(String name) {
        return JsonWriter.object().put("event", name).put("id", id.value());
    }

    private static String first(String text) {
        return text.lines().findFirst().orElse("");
    }
}
