package dev.headgate.cli.jobs;

import dev.headgate.cli.display.JsonWriter;
import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.job.JobStatus;
import java.time.Instant;
import java.util.List;

/** Jobs as rows and as JSON. */
final class JobRows {
    private JobRows() {}

    /** With what it carries and what came of it. */
    static JsonWriter whole(JobStatus job) {
        return listed(job).putJson("payload", job.spec().payload()).putJson("result", job.result());
    }

    /** Without payload and result: a list is looked at for other reasons, and by more people. */
    static JsonWriter listed(JobStatus job) {
        JobStatus.Progress progress = job.progress();
        return JsonWriter.object()
                .put("id", job.id().value())
                .put("type", job.type())
                .put("queue", job.queue())
                .put("gates", job.gates())
                .put("state", job.state())
                .put("cost", job.spec().cost().units())
                .put("priority", job.spec().order().priority())
                .put("front", job.spec().order().isFront())
                .put("keepPlace", job.spec().order().keepsPlace())
                .put("dedup", job.spec().dedup().key())
                .put("attempt", job.attempt())
                .put("attemptsMax", job.spec().tries().attemptsMax())
                .put("lost", job.lost())
                .put("epoch", job.epoch())
                .put("worker", job.worker())
                .put("enqueuedAt", job.enqueuedAt())
                .put("readySince", job.readySince())
                .put("startedAt", job.startedAt())
                .put("finishedAt", job.finishedAt())
                .put("timeoutMs", job.spec().tries().timeout())
                .put("deadline", job.spec().tries().deadline())
                .put("retry", job.spec().tries().retry())
                .put("detail", job.detail())
                .put(
                        "progress",
                        progress == null
                                ? null
                                : JsonWriter.object()
                                        .put("percent", progress.percent())
                                        .put("message", progress.message()));
    }

    static Table table(List<JobStatus> jobs, Instant now) {
        Table table = new Table(">ID", "STATE", "QUEUE", "TYPE", "GATES", ">ATTEMPT", "SINCE", "DETAIL");
        for (JobStatus job : jobs) {
            table.row(
                    job.id(),
                    Wording.word(job.state()),
                    job.queue(),
                    job.type(),
                    job.gates().isEmpty() ? "-" : String.join(", ", job.gates()),
                    "%d of %d".formatted(job.attempt(), job.spec().tries().attemptsMax()),
                    Wording.from(now, since(job)),
                    detail(job));
        }
        return table;
    }

    /** When it got to where it is, or will leave it. */
    static Instant since(JobStatus job) {
        Instant finished = job.finishedAt();
        if (finished != null) {
            return finished;
        }
        Instant started = job.startedAt();
        return switch (job.state()) {
            case RUNNING -> started == null ? job.readySince() : started;
            case AWAITING, PARKED -> job.enqueuedAt();
            default -> job.readySince();
        };
    }

    private static String detail(JobStatus job) {
        JobStatus.Progress progress = job.progress();
        if (progress != null) {
            return "%d %% %s".formatted(progress.percent(), progress.message());
        }
        String detail = job.detail();
        return detail == null ? "" : detail.lines().findFirst().orElse("");
    }
}
