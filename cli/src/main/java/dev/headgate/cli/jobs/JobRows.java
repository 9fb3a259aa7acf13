package dev.headgate.cli.jobs;

import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.job.Attempt;
import dev.headgate.job.JobStatus;
import dev.headgate.job.LogLine;
import java.time.Instant;
import java.util.List;

/** Jobs as rows and as JSON. */
final class JobRows {
    private JobRows() {}

    /** With payload and result. */
    static JsonWriter whole(JobStatus job) {
        return whole(JsonWriter.object(), job);
    }

    static JsonWriter whole(JsonWriter begun, JobStatus job) {
        return listed(begun, job)
                .putJson("payload", job.spec().payload())
                .putJson("result", job.report().result());
    }

    /** Without payload and result: a list is read for other reasons, and by more people. */
    static JsonWriter listed(JobStatus job) {
        return listed(JsonWriter.object(), job);
    }

    private static JsonWriter listed(JsonWriter begun, JobStatus job) {
        JobStatus.Progress progress = job.report().progress();
        return begun.put("id", job.id().value())
                .put("type", job.type())
                .put("queue", job.queue())
                .put("gates", job.gates())
                .put("state", job.state())
                .put("waitingAt", job.waitingAt())
                .put("cost", job.spec().cost().units())
                .put("priority", job.spec().order().priority())
                .put("front", job.spec().order().isFront())
                .put("keepPlace", job.spec().order().keepsPlace())
                .put("dedup", job.spec().dedup().key())
                .put("attempt", job.leases().attempt())
                .put("attemptsMax", job.spec().tries().attemptsMax())
                .put("lost", job.leases().lost())
                .put("epoch", job.leases().epoch())
                .put("worker", job.leases().worker())
                .put("enqueuedAt", job.times().enqueuedAt())
                .put("readySince", job.times().readySince())
                .put("startedAt", job.times().startedAt())
                .put("finishedAt", job.times().finishedAt())
                .put("timeoutMs", job.spec().tries().timeout())
                .put("deadline", job.spec().tries().deadline())
                .put("retry", job.spec().tries().retry())
                .put("detail", job.report().detail())
                .put(
                        "progress",
                        progress == null
                                ? null
                                : JsonWriter.object()
                                        .put("percent", progress.percent())
                                        .put("message", progress.message()));
    }

    static JsonWriter json(JsonWriter begun, Attempt attempt) {
        return begun.put("number", attempt.number())
                .put("epoch", attempt.epoch())
                .put("worker", attempt.worker())
                .put("startedAt", attempt.startedAt())
                .put("endedAt", attempt.endedAt())
                .put("outcome", attempt.outcome())
                .put("error", attempt.error());
    }

    static JsonWriter json(JsonWriter begun, LogLine line) {
        return begun.put("at", line.at()).put("epoch", line.epoch()).put("text", line.text());
    }

    static Table table(List<JobStatus> jobs, Instant now) {
        Table table = new Table(">ID", "STATE", "QUEUE", "TYPE", "GATES", ">ATTEMPT", "SINCE", "DETAIL");
        for (JobStatus job : jobs) {
            table.row(
                    job.id(),
                    state(job),
                    job.queue(),
                    job.type(),
                    job.gates().isEmpty() ? "-" : String.join(", ", job.gates()),
                    "%d of %d"
                            .formatted(
                                    job.leases().attempt(), job.spec().tries().attemptsMax()),
                    Wording.from(now, since(job)),
                    detail(job));
        }
        return table;
    }

    /** Its state, and of a job that a gate keeps: which gate. */
    static String state(JobStatus job) {
        return job.waitingAt() == null ? Wording.word(job.state()) : "waiting at " + job.waitingAt();
    }

    /** When it got into its state, or will leave it. */
    static Instant since(JobStatus job) {
        Instant finished = job.times().finishedAt();
        if (finished != null) {
            return finished;
        }
        Instant started = job.times().startedAt();
        return switch (job.state()) {
            case RUNNING -> started == null ? job.times().readySince() : started;
            case AWAITING, PARKED -> job.times().enqueuedAt();
            default -> job.times().readySince();
        };
    }

    private static String detail(JobStatus job) {
        JobStatus.Progress progress = job.report().progress();
        if (progress != null) {
            return "%d %% %s".formatted(progress.percent(), progress.message());
        }
        String detail = job.report().detail();
        return detail == null ? "" : detail.lines().findFirst().orElse("");
    }
}
