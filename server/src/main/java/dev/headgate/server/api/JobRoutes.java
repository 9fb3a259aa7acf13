package dev.headgate.server.api;

import dev.headgate.internal.json.JsonWriter;
import dev.headgate.job.JobCursor;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobPage;
import dev.headgate.job.JobStatus;
import dev.headgate.job.OperationResult;
import dev.headgate.server.api.JobReader.ReadJob;
import dev.headgate.server.http.BodyReader;
import dev.headgate.server.http.JsonDocument;
import dev.headgate.server.http.Prefer;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Response;
import dev.headgate.server.once.OnceEnqueue;
import dev.headgate.server.once.OnceEnqueue.Answer;
import dev.headgate.server.once.OnceEnqueue.Asked;
import dev.headgate.server.once.OnceEnqueue.KeyReusedException;
import dev.headgate.server.once.RequestKey;
import dev.headgate.server.route.Call;
import dev.headgate.server.route.Route;
import dev.headgate.server.token.Right;
import dev.headgate.server.token.Token;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Jobs: bring them in, look at them, change them. */
public final class JobRoutes {
    private static final String ONE = "/v1/jobs/{id}";

    private JobRoutes() {}

    public static List<Route> all() {
        return List.of(
                Route.jobs("listJobs", "GET", "/v1/jobs", Right.READ, JobRoutes::list)
                        .taking(JobQuery.PARAMETERS)
                        .takingMany("label"),
                Route.jobs("enqueueJob", "POST", "/v1/jobs", Right.ENQUEUE, JobRoutes::enqueue)
                        .heeding(RequestKey.HEADER, Prefer.HEADER),
                Route.jobs("enqueueJobs", "POST", "/v1/jobs/lines", Right.ENQUEUE, JobRoutes::enqueueLines),
                Route.jobs("getJob", "GET", ONE, Right.READ, JobRoutes::get).heeding(Prefer.HEADER),
                Route.jobs(
                        "deleteJob",
                        "DELETE",
                        ONE,
                        Right.OPERATE,
                        act(call -> call.headgate().delete(call.job().id()))),
                Route.jobs("listAttempts", "GET", ONE + "/attempts", Right.READ, JobRoutes::attempts),
                Route.jobs("getLog", "GET", ONE + "/log", Right.READ, JobRoutes::log),
                Route.jobs("listDependencies", "GET", ONE + "/dependencies", Right.READ, JobRoutes::dependencies),
                Route.jobs("explainJob", "GET", ONE + "/explain", Right.READ, JobRoutes::explain),
                Route.jobs(
                        "cancelJob",
                        "POST",
                        ONE + "/cancel",
                        Right.OPERATE,
                        act(call -> call.headgate().cancel(call.job().id()))),
                Route.jobs(
                        "retryJob",
                        "POST",
                        ONE + "/retry",
                        Right.OPERATE,
                        act(call -> call.headgate().retry(call.job().id()))),
                Route.jobs("rescheduleJob", "POST", ONE + "/reschedule", Right.OPERATE, JobRoutes::reschedule),
                Route.jobs("changePriority", "POST", ONE + "/priority", Right.OPERATE, JobRoutes::changePriority));
    }

    private static Response list(Call call) {
        Token token = call.bearer();
        String queue = call.query().text("queue");
        String type = call.query().text("type");
        checkScope(token, queue, type);
        JobFilter filter = JobQuery.filter(call).limit(call.query().number("limit", 1, JobFilter.LIMIT_MAX, 100));
        List<String> asked = JobQuery.asked(call.query());
        String cursor = call.query().text("cursor");
        JobPage page = call.headgate()
                .page(cursor == null ? filter : filter.after(JobCursor.parse(Cursor.read(cursor, asked))));
        JobCursor next = page.next();
        return Response.json(
                200,
                JsonWriter.object()
                        .put(
                                "jobs",
                                page.jobs().stream()
                                        .filter(job -> token.covers(job.queue(), job.type()))
                                        .map(JobJson::listed)
                                        .toList())
                        .put("next", next == null ? null : Cursor.of(next.text(), asked))
                        .put("partial", page.isPartial()));
    }

    /** A token for some queues names one of them, so that no page is read in vain. */
    static void checkScope(Token token, @Nullable String queue, @Nullable String type) {
        if (!token.queues().isEmpty() && (queue == null || !token.coversQueue(queue))) {
            throw new ProblemException(
                    Problem.OUTSIDE_SCOPE,
                    "expected the parameter 'queue' with one of %s, got %s"
                            .formatted(String.join(", ", token.queues()), queue == null ? "none" : "'" + queue + "'"));
        }
        if (!token.types().isEmpty() && (type == null || !token.coversType(type))) {
            throw new ProblemException(
                    Problem.OUTSIDE_SCOPE,
                    "expected the parameter 'type' with one of %s, got %s"
                            .formatted(String.join(", ", token.types()), type == null ? "none" : "'" + type + "'"));
        }
    }

    private static Response enqueue(Call call) {
        Duration wait = JobWait.of(call);
        String body = call.bodyText();
        ReadJob job = JobReader.read(body);
        checkScope(call.bearer(), job);
        String name = RequestKey.header(call.request());
        RequestKey key = name == null ? null : RequestKey.of(call.bearer().id(), name, "POST /v1/jobs\n" + body);
        Answer answer = call.live().keys().run(key, () -> enqueue(call, new Asked(job.job(), key)));
        JobId id = JobId.of(JsonDocument.parseAny(answer.body()).number("id"));
        Response response = wait == null
                ? Response.json(answer.status(), answer.body())
                : JobWait.after(call, id, wait, answer.status(), answer.body());
        response = response.with("Location", "v1/jobs/" + id);
        return answer.isRepeat() ? response.with("Idempotency-Replayed", "true") : response;
    }

    private static Answer enqueue(Call call, Asked asked) {
        try {
            return stored(() -> OnceEnqueue.run(call.headgate(), List.of(asked)))
                    .getFirst();
        } catch (KeyReusedException reused) {
            throw reused.problem();
        }
    }

    private static Response enqueueLines(Call call) {
        BodyReader.expect(call.request(), Response.JSON_LINES);
        return new JobLines(call).response();
    }

    static void checkScope(Token token, ReadJob job) {
        if (!token.coversQueue(job.queue())) {
            throw new ProblemException(
                    Problem.OUTSIDE_SCOPE,
                    "field 'queue': expected one of %s, got '%s'"
                            .formatted(String.join(", ", token.queues()), job.queue()));
        }
        if (!token.admitsType(job.type())) {
            throw new ProblemException(
                    Problem.OUTSIDE_SCOPE,
                    token.types().isEmpty()
                            ? "field 'type': jobs of type 'shell' run any command, so the token must name that type"
                            : "field 'type': expected one of %s, got '%s'"
                                    .formatted(String.join(", ", token.types()), job.type()));
        }
        job.children().forEach(child -> checkScope(token, child));
    }

    /** What the engine says is wrong with a job is a problem of the request. */
    static <T> T stored(java.util.function.Supplier<T> enqueue) {
        try {
            return enqueue.get();
        } catch (IllegalArgumentException wrong) {
            throw new ProblemException(Problem.BAD_FIELD, String.valueOf(wrong.getMessage()));
        }
    }

    private static Response get(Call call) {
        Duration wait = JobWait.of(call);
        JobStatus job = call.job();
        return wait == null
                ? Response.json(200, JobJson.seenBy(call.bearer(), job))
                : JobWait.applied(
                        Response.json(200, JobJson.seenBy(call.bearer(), JobWait.end(call, job, wait))), wait);
    }

    private static Response attempts(Call call) {
        return Response.json(
                200,
                JsonWriter.object()
                        .put(
                                "attempts",
                                call.headgate().attempts(call.job().id()).stream()
                                        .map(JobJson::attempt)
                                        .toList()));
    }

    private static Response log(Call call) {
        return Response.json(
                200,
                JsonWriter.object()
                        .put(
                                "log",
                                call.headgate().log(call.job().id()).stream()
                                        .map(JobJson::line)
                                        .toList()));
    }

    private static Response dependencies(Call call) {
        return Response.json(
                200,
                JsonWriter.object()
                        .put(
                                "after",
                                call.headgate().dependencies(call.job().id()).stream()
                                        .map(JobJson::dependency)
                                        .toList()));
    }

    private static Response explain(Call call) {
        return Response.json(
                200, JobJson.explanation(call.headgate().explain(call.job().id())));
    }

    private static Response reschedule(Call call) {
        JsonDocument body = call.body(Set.of("at"));
        Instant at = body.instantOrNull("at");
        JobId id = call.job().id();
        return answer(call, id, stored(() -> call.headgate().reschedule(id, at)));
    }

    private static Response changePriority(Call call) {
        int priority = call.body(Set.of("priority")).integer("priority");
        JobId id = call.job().id();
        return answer(call, id, stored(() -> call.headgate().changePriority(id, priority)));
    }

    private static Route.Action act(Function<Call, OperationResult> change) {
        return call -> {
            call.bodyOrNone(Set.of());
            return answer(call, call.jobId(), change.apply(call));
        };
    }

    private static Response answer(Call call, JobId id, OperationResult result) {
        if (result == OperationResult.WRONG_STATE) {
            String state = call.headgate()
                    .find(id)
                    .map(job -> job.state().name().toLowerCase(Locale.ROOT))
                    .orElse("gone");
            throw new ProblemException(
                    Problem.WRONG_STATE, "job %s: it is %s, so there is nothing to change".formatted(id, state));
        }
        return Response.json(
                result == OperationResult.REQUESTED ? 202 : 200,
                JsonWriter.object().put("id", id.value()).put("answer", result));
    }
}
