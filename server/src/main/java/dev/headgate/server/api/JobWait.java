package dev.headgate.server.api;

import dev.headgate.job.JobId;
import dev.headgate.job.JobStatus;
import dev.headgate.server.http.Prefer;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Response;
import dev.headgate.server.route.Call;
import dev.headgate.server.token.Right;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Requests that wait for the end of a job, because their client says {@code Prefer: wait=20}. */
final class JobWait {
    private JobWait() {}

    /** How long to wait; absent if not at all. To see what came of a job needs the right to read. */
    static @Nullable Duration of(Call call) {
        Duration wait = Prefer.waiting(call.request());
        if (wait != null && !call.bearer().has(Right.READ)) {
            throw new ProblemException(
                    Problem.MISSING_RIGHT,
                    "expected a token with the right 'read' to wait for a result, got '%s' without it"
                            .formatted(call.bearer().name()));
        }
        return wait;
    }

    /** The answer of an enqueue with the job as it is after the wait; null if it was deleted. */
    static Response after(Call call, JobId id, Duration wait, int status, String enqueued) {
        JobStatus job = call.headgate().find(id).orElse(null);
        JobStatus end = job == null ? null : end(call, job, wait);
        String seen = end == null ? "null" : JobJson.seenBy(call.bearer(), end).toString();
        String body = enqueued.substring(0, enqueued.length() - 1) + ",\"job\":" + seen + "}";
        return applied(Response.json(status, body), wait);
    }

    /** The job once it has ended, or as it is after this time. */
    static JobStatus end(Call call, JobStatus job, Duration wait) {
        if (job.state().isTerminal()) {
            return job;
        }
        try {
            JobStatus end = call.live().ends().await(job.id(), wait).orElse(null);
            return end != null ? end : call.headgate().find(job.id()).orElse(job);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return job;
        }
    }

    static Response applied(Response response, Duration wait) {
        return response.with("Preference-Applied", "wait=" + wait.toSeconds());
    }
}
