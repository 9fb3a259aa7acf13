package dev.headgate.cli.jobs;

import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.json.PairsText;
import dev.headgate.job.JobStatus;
import dev.headgate.server.api.JobJson;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Jobs as rows and as JSON. */
public final class JobRows {
    private JobRows() {}

    /** With headers, payload and result, whose secrets can be hidden. */
    static JsonWriter whole(JobStatus job) {
        return JobJson.listed(job)
                .putJson("headers", PairsText.json(job.headers()))
                .putJson("payload", job.spec().payload())
                .putJson("result", job.report().result());
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

    /** Labels on one line: {@code team=mail, tenant=acme}; absent if there are none. */
    public static @Nullable String labels(Map<String, String> labels) {
        return labels.isEmpty()
                ? null
                : labels.entrySet().stream()
                        .map(pair -> pair.getKey() + "=" + pair.getValue())
                        .collect(Collectors.joining(", "));
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
