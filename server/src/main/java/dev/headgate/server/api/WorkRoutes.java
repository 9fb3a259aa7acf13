package dev.headgate.server.api;

import dev.headgate.internal.json.JsonCodec;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.text.Names;
import dev.headgate.internal.text.Text;
import dev.headgate.job.JobStatus;
import dev.headgate.server.http.JsonDocument;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Response;
import dev.headgate.server.route.Call;
import dev.headgate.server.route.Route;
import dev.headgate.server.token.Right;
import dev.headgate.server.token.Token;
import dev.headgate.server.work.RemoteTurn;
import dev.headgate.server.work.RemoteTurn.Ended;
import dev.headgate.server.work.RemoteTurn.How;
import dev.headgate.server.work.RemoteTurn.Note;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.JobTable.LeaseRef;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Workers in any language: they register, take turns, tell how far they are, wait for work, and leave. */
public final class WorkRoutes {
    private static final String ONE = "/v1/workers/{worker}";
    private static final int SLOTS_MAX = 10_000;
    private static final int WAIT_MAX = 25;
    private static final int MESSAGE_MAX = 500;
    private static final int LINE_MAX = 2_000;
    private static final Duration LEASE_MIN = Duration.ofSeconds(3);
    private static final Duration LEASE_MAX = Duration.ofDays(1);
    private static final Duration LEASE_DEFAULT = Duration.ofSeconds(30);
    private static final Set<String> TURN = Set.of("queues", "types", "slots", "free", "held", "ended", "turn");
    private static final Set<String> ENDED = Set.of(
            "id",
            "epoch",
            "outcome",
            "result",
            "error",
            "permanent",
            "delay",
            "at",
            "gate",
            "retryAfter",
            "settled",
            "lagMs");
    private static final Set<String> LEASE = Set.of("id", "epoch");
    private static final JsonCodec CODEC = new JsonCodec();

    private WorkRoutes() {}

    /** All routes of workers. */
    public static List<Route> all() {
        return List.of(
                Route.jobs("registerWorker", "POST", "/v1/workers", Right.WORK, WorkRoutes::register),
                Route.jobs("takeTurn", "POST", ONE + "/turn", Right.WORK, WorkRoutes::turn),
                Route.jobs("heartbeat", "POST", ONE + "/heartbeat", Right.WORK, WorkRoutes::heartbeat),
                Route.jobs("noteProgress", "POST", ONE + "/notes", Right.WORK, WorkRoutes::note),
                Route.jobs("awaitWork", "POST", ONE + "/wait", Right.WORK, WorkRoutes::await),
                Route.jobs("leave", "DELETE", ONE, Right.WORK, WorkRoutes::leave));
    }

    private static Response register(Call call) {
        JsonDocument body = call.body(Set.of("name", "queues", "types", "slots", "lease"));
        String name = JsonDocument.read("name", () -> Names.check("worker", body.text("name")));
        List<String> queues = queues(call.bearer(), body);
        Set<String> types = types(call.bearer(), body);
        int slots = slots(body);
        Duration lease = lease(body);
        // The token's id in front: another token cannot speak for this worker.
        String worker = call.bearer().id() + "." + UUID.randomUUID();
        call.workers().register(worker, name, queues, slots, lease, types);
        return Response.json(201, JsonWriter.object().put("worker", worker).put("leaseMs", lease));
    }

    private static Response turn(Call call) {
        String worker = worker(call);
        JsonDocument body = call.body(TURN);
        RemoteTurn.Answer answer = call.workers()
                .turn(
                        worker,
                        new RemoteTurn(
                                queues(call.bearer(), body),
                                types(call.bearer(), body),
                                slots(body),
                                bounded("free", body.integer("free"), 0),
                                leases(body, "held"),
                                body.objects("ended").stream()
                                        .map(WorkRoutes::ended)
                                        .toList(),
                                body.has("turn") ? Math.max(0, body.number("turn")) : 0));
        return Response.json(
                200,
                JsonWriter.object()
                        .put(
                                "leases",
                                answer.leases().stream()
                                        .map(row ->
                                                lease(row, answer.startWithin().get(row.id())))
                                        .toList())
                        .put("refused", answer.refused())
                        .put("again", answer.again())
                        .put("stop", answer.stop())
                        .put("nextMs", answer.next())
                        .put("mark", answer.mark()));
    }

    private static JsonWriter lease(JobRow row, @Nullable Duration startWithin) {
        return JsonWriter.object()
                .put("id", row.id())
                .put("epoch", row.lease().epoch())
                .put("type", row.spec().type())
                .put("queue", row.spec().lane().queue())
                .put("gates", row.spec().lane().gates())
                .put("attempt", row.lease().attempt())
                .put("attemptsMax", row.spec().tries().attemptsMax())
                .putRaw("payload", row.spec().payload())
                .put("labels", row.spec().attributes().labels())
                .put("headers", row.spec().attributes().headers())
                .put("timeoutMs", row.spec().tries().timeout())
                .put("deadline", row.spec().tries().deadline())
                .put("startWithinMs", startWithin);
    }

    private static Ended ended(String json) {
        JsonDocument said = JsonDocument.parse(json, ENDED);
        Map<String, Long> settled = new HashMap<>();
        if (said.has("settled")) {
            JsonDocument units = JsonDocument.parseAny(said.raw("settled", "{}"));
            units.names().forEach(gate -> settled.put(gate, units.number(gate)));
        }
        Long lag = said.numberOrNull("lagMs");
        return new Ended(reference(said), how(said), settled, lag == null ? null : Duration.ofMillis(lag));
    }

    private static How how(JsonDocument said) {
        String outcome = said.text("outcome");
        return switch (outcome) {
            case "succeeded" -> new How.Succeeded(result(said));
            case "failed" -> new How.Failed(said.text("error"), said.flag("permanent"));
            case "retry" -> new How.Retry(said.spanOrNull("delay"), said.instantOrNull("at"), said.text("error"));
            case "pushed_back" ->
                new How.PushedBack(said.text("gate"), said.spanOrNull("retryAfter"), said.text("error"));
            case "cancelled" -> new How.Cancelled();
            case "returned" -> new How.Returned();
            case "late" -> new How.Late();
            default ->
                throw new ProblemException(
                        Problem.BAD_FIELD,
                        "field 'outcome': expected succeeded, failed, retry, pushed_back, cancelled, returned or late, got '%s'"
                                .formatted(Text.storable(outcome, LINE_MAX)));
        };
    }

    private static @Nullable String result(JsonDocument said) {
        return said.has("result")
                ? JsonDocument.read("result", () -> CODEC.check("result", said.raw("result", "null")))
                : null;
    }

    private static Response heartbeat(Call call) {
        String worker = worker(call);
        JsonDocument body = call.body(Set.of("lease", "held"));
        return Response.json(
                200,
                JsonWriter.object().put("stop", call.workers().heartbeat(worker, lease(body), leases(body, "held"))));
    }

    private static Response note(Call call) {
        String worker = worker(call);
        List<Note> notes = call.body(Set.of("notes")).objects("notes").stream()
                .map(WorkRoutes::note)
                .toList();
        return Response.json(
                200, JsonWriter.object().put("refused", call.workers().note(worker, notes)));
    }

    private static Note note(String json) {
        JsonDocument said = JsonDocument.parse(json, Set.of("id", "epoch", "percent", "message", "log"));
        JobStatus.Progress progress = null;
        if (said.has("percent")) {
            String message = said.textOrNull("message");
            progress = new JobStatus.Progress(
                    Math.clamp(said.number("percent"), 0, 100),
                    Text.storable(message == null ? "" : message, MESSAGE_MAX));
        }
        return new Note(
                reference(said),
                progress,
                said.texts("log").stream()
                        .map(line -> Text.storable(line, LINE_MAX))
                        .toList());
    }

    private static Response await(Call call) {
        worker(call);
        JsonDocument body = call.body(Set.of("queues", "mark", "seconds"));
        int seconds = Math.min(bounded("seconds", body.integer("seconds"), 0), WAIT_MAX);
        try {
            boolean isNews = call.workers()
                    .await(queues(call.bearer(), body), body.textOrNull("mark"), Duration.ofSeconds(seconds));
            return Response.json(200, JsonWriter.object().put("news", isNews));
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            return Response.json(200, JsonWriter.object().put("news", true));
        }
    }

    private static Response leave(Call call) {
        String worker = worker(call);
        call.workers().leave(worker);
        return Response.json(200, JsonWriter.object().put("worker", worker));
    }

    private static String worker(Call call) {
        String worker = String.valueOf(call.path().get("worker"));
        if (!worker.startsWith(call.bearer().id() + ".")) {
            throw new ProblemException(
                    Problem.NOT_FOUND, "worker: expected one that this token has registered, got another");
        }
        return worker;
    }

    private static List<String> queues(Token token, JsonDocument body) {
        List<String> queues = body.texts("queues");
        if (queues.isEmpty()) {
            throw new ProblemException(Problem.BAD_FIELD, "field 'queues': expected at least one queue, got none");
        }
        for (String queue : queues) {
            JsonDocument.read("queues", () -> Names.check("queue", queue));
            if (!token.coversQueue(queue)) {
                throw new ProblemException(
                        Problem.OUTSIDE_SCOPE,
                        "field 'queues': expected some of %s, got '%s'"
                                .formatted(String.join(", ", token.queues()), queue));
            }
        }
        return queues;
    }

    private static Set<String> types(Token token, JsonDocument body) {
        Set<String> types = new LinkedHashSet<>(body.texts("types"));
        if (types.isEmpty()) {
            throw new ProblemException(
                    Problem.BAD_FIELD,
                    "field 'types': expected the job types that the worker has handlers for, got none");
        }
        for (String type : types) {
            JsonDocument.read("types", () -> Names.check("job type", type));
            if (!token.admitsType(type)) {
                throw new ProblemException(
                        Problem.OUTSIDE_SCOPE,
                        "field 'types': expected types that the token names, got '%s'".formatted(type));
            }
        }
        return types;
    }

    private static int slots(JsonDocument body) {
        return bounded("slots", body.integer("slots"), 1);
    }

    private static int bounded(String name, int number, int least) {
        if (number < least || number > SLOTS_MAX) {
            throw new ProblemException(
                    Problem.BAD_FIELD,
                    "field '%s': expected %d to %d, got %d".formatted(name, least, SLOTS_MAX, number));
        }
        return number;
    }

    private static Duration lease(JsonDocument body) {
        Duration lease = body.spanOrNull("lease");
        Duration asked = lease == null ? LEASE_DEFAULT : lease;
        if (asked.compareTo(LEASE_MIN) < 0 || asked.compareTo(LEASE_MAX) > 0) {
            throw new ProblemException(Problem.BAD_FIELD, "field 'lease': expected 3s to 1d, got %s".formatted(asked));
        }
        return asked;
    }

    private static List<LeaseRef> leases(JsonDocument body, String name) {
        return body.objects(name).stream()
                .map(json -> reference(JsonDocument.parse(json, LEASE)))
                .toList();
    }

    private static LeaseRef reference(JsonDocument said) {
        return new LeaseRef(said.number("id"), said.number("epoch"));
    }
}
