package dev.headgate.server.route;

import dev.headgate.Headgate;
import dev.headgate.internal.access.OpenStore;
import dev.headgate.internal.text.Text;
import dev.headgate.internal.time.Micros;
import dev.headgate.job.JobId;
import dev.headgate.job.JobStatus;
import dev.headgate.server.http.BodyReader;
import dev.headgate.server.http.JsonDocument;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Query;
import dev.headgate.server.http.Request;
import dev.headgate.server.http.Response;
import dev.headgate.server.token.Token;
import dev.headgate.server.work.RemoteWorkers;
import dev.headgate.spi.StoreTransaction;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One request that was let in: what it asks for, with which token.
 *
 * @param token absent only at routes that need none
 * @param admission asks once more whether the token gives access
 */
public record Call(
        Headgate headgate,
        LiveState live,
        Request request,
        Map<String, String> path,
        Query query,
        @Nullable Token token,
        BooleanSupplier admission) {
    private static final int BODY_MAX = 1024 * 1024;
    private static final int AUTHOR_MAX = 100;

    public RemoteWorkers workers() {
        return live.workers();
    }

    /** The token that let the request in. */
    public Token bearer() {
        return Objects.requireNonNull(token, "only routes without a right have no token");
    }

    /** The body as a JSON object. */
    public JsonDocument body(Set<String> known) {
        return JsonDocument.parse(bodyText(), known);
    }

    /** The body, which says that it is JSON, as it was sent. */
    public String bodyText() {
        BodyReader.expect(request, Response.JSON);
        return BodyReader.text(request, BODY_MAX);
    }

    /** The body as a JSON object, or an empty one if there is no body. */
    public JsonDocument bodyOrNone(Set<String> known) {
        return request.headers("Content-Type").isEmpty()
                        && request.headers("Content-Length").stream().allMatch("0"::equals)
                        && request.headers("Transfer-Encoding").isEmpty()
                ? JsonDocument.parse("{}", known)
                : body(known);
    }

    /** Whether the token still gives access, for what goes on for long. */
    public boolean isStillAdmitted() {
        return admission.getAsBoolean();
    }

    /** What stands in the path where the route has this name in braces. */
    public String path(String name) {
        return Objects.requireNonNull(path.get(name), name);
    }

    /** The number in the path. */
    public JobId jobId() {
        String text = path("id");
        try {
            return JobId.parse(text);
        } catch (IllegalArgumentException notANumber) {
            throw new ProblemException(Problem.NOT_FOUND, String.valueOf(notANumber.getMessage()));
        }
    }

    /** A part of the path that is a name. */
    public String name(String part) {
        return String.valueOf(path.get(part));
    }

    /** The token as the author of what it changes. */
    public String author() {
        return "%s (token %s)".formatted(Text.visible(Text.storable(bearer().name(), AUTHOR_MAX)), bearer().id());
    }

    /** The store's time. */
    public Instant now() {
        return Micros.instant(OpenStore.of(headgate).read(StoreTransaction::now));
    }

    /** The job in the path. One that the token does not cover is as if it did not exist. */
    public JobStatus job() {
        return job(jobId().value());
    }

    /** The same of a job that is named elsewhere. */
    public JobStatus job(long number) {
        JobId id = JobId.of(number);
        return headgate.find(id)
                .filter(job -> bearer().covers(job.queue(), job.type()))
                .orElseThrow(() -> new ProblemException(
                        Problem.NOT_FOUND, "job %s: no such job, or one that the token may not see".formatted(id)));
    }
}
