package dev.headgate.server.api;

import dev.headgate.Controls;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GateKey.Scope;
import dev.headgate.limit.Pause;
import dev.headgate.server.http.JsonDocument;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Response;
import dev.headgate.server.route.Call;
import dev.headgate.server.route.Route;
import dev.headgate.server.token.Right;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** Shuts and opens queues, gates and job types by hand. */
public final class ControlRoutes {
    private static final String HELD = "held by an operator";
    private static final String PUSHED_BACK = "pushed back, says an operator";

    private ControlRoutes() {}

    /** The acts on queues, gates and job types, and what is paused. */
    public static List<Route> all() {
        List<Route> routes = new ArrayList<>();
        routes.add(Route.shared("listPauses", "GET", "/v1/pauses", Right.READ, ControlRoutes::pauses));
        for (Scope scope : List.of(Scope.QUEUE, Scope.GATE)) {
            routes.add(act(scope, "hold", ControlRoutes::hold));
            routes.add(act(scope, "release", ControlRoutes::release));
            routes.add(act(scope, "clear", ControlRoutes::clear));
            routes.add(act(scope, "push-back", ControlRoutes::pushBack));
        }
        for (Scope scope : Scope.values()) {
            routes.add(act(scope, "pause", ControlRoutes::pause));
            routes.add(act(scope, "resume", ControlRoutes::resume));
        }
        return routes;
    }

    /** {@code POST /v1/gates/{gate}/hold} has the id {@code holdGate}. */
    private static Route act(Scope scope, String verb, BiFunction<Call, GateKey, Response> act) {
        String what = scope.text();
        String path = "/v1/%ss/{%s}/%s".formatted(what, what, verb);
        String id = verb.replace("-b", "B") + Character.toUpperCase(what.charAt(0)) + what.substring(1);
        return scope == Scope.QUEUE
                ? Route.queues(id, "POST", path, Right.OPERATE, call -> act.apply(call, QueueRoutes.covered(call)))
                : Route.shared(
                        id,
                        "POST",
                        path,
                        Right.OPERATE,
                        call -> act.apply(call, GateRoutes.key(scope, call.name(what))));
    }

    private static Response hold(Call call, GateKey key) {
        JsonDocument body = call.body(Set.of("for", "until", "reason"));
        Duration span = body.spanOrNull("for");
        Instant until = body.instantOrNull("until");
        if ((span == null) == (until == null)) {
            throw new ProblemException(
                    Problem.BAD_FIELD,
                    "expected one of 'for' and 'until', got %s".formatted(span == null ? "none" : "both"));
        }
        String reason = reason(body, HELD);
        String remark = remark(call, key);
        Controls controls = call.headgate().controls();
        boolean isNew = Problems.refusing(() -> span != null
                ? controls.hold(key, span, reason)
                : controls.holdUntil(key, Objects.requireNonNull(until, "one of them"), reason));
        return answer(key, "held", isNew, remark);
    }

    private static Response release(Call call, GateKey key) {
        call.bodyOrNone(Set.of());
        String remark = remark(call, key);
        boolean wasHeld = Problems.refusing(() -> call.headgate().controls().release(key));
        return answer(key, "released", wasHeld, remark);
    }

    private static Response clear(Call call, GateKey key) {
        call.bodyOrNone(Set.of());
        String remark = remark(call, key);
        boolean wasCleared = Problems.refusing(() -> call.headgate().controls().clear(key));
        if (!wasCleared && remark != null) {
            throw new ProblemException(Problem.NOT_FOUND, remark);
        }
        return answer(key, "cleared", wasCleared, remark);
    }

    private static Response pushBack(Call call, GateKey key) {
        JsonDocument body = call.bodyOrNone(Set.of("retryAfter", "reason"));
        Duration retryAfter = body.spanOrNull("retryAfter");
        String reason = reason(body, PUSHED_BACK);
        String remark = remark(call, key);
        Duration shut = Problems.refusing(() -> call.headgate().controls().pushBack(key, retryAfter, reason));
        return answer(key, "shutMs", shut, remark);
    }

    private static Response answer(GateKey key, String done, Object value, @Nullable String remark) {
        return Response.json(
                200,
                JsonWriter.object().put("name", key.name()).put(done, value).put("remark", remark));
    }

    private static String reason(JsonDocument body, String missing) {
        return Objects.requireNonNullElse(body.textOrNull("reason"), missing);
    }

    /** A name that means nothing yet is valid, but in most cases misspelt. */
    private static @Nullable String remark(Call call, GateKey key) {
        return KnownNames.remark(
                        call.headgate(),
                        key,
                        other -> "; a %s has that name".formatted(other.kind().text()))
                .orElse(null);
    }

    private static Pause paused(GateKey key) {
        return switch (key.scope()) {
            case QUEUE -> Pause.queue(key.name());
            case GATE -> Pause.gate(key.name());
            case TYPE -> Pause.type(key.name());
        };
    }

    private static Response pause(Call call, GateKey key) {
        JsonDocument body = call.bodyOrNone(Set.of("reason"));
        String reason = reason(body, "");
        Pause pause = paused(key);
        String remark = KnownNames.remark(call.headgate(), pause).orElse(null);
        call.headgate().controls().by(call.author()).pause(pause, reason);
        return Response.json(200, paused(key, true).put("remark", remark));
    }

    private static Response resume(Call call, GateKey key) {
        call.bodyOrNone(Set.of());
        if (!call.headgate().controls().resume(paused(key))) {
            throw new ProblemException(
                    Problem.WRONG_STATE, "%s: it is not paused; /v1/pauses lists what is".formatted(key));
        }
        return Response.json(200, paused(key, false));
    }

    private static JsonWriter paused(GateKey key, boolean isPaused) {
        return JsonWriter.object()
                .put("kind", key.scope().text())
                .put("name", key.name())
                .put("paused", isPaused);
    }

    private static Response pauses(Call call) {
        return Response.json(
                200,
                JsonWriter.object()
                        .put(
                                "paused",
                                StatusJson.paused(call.headgate().controls().paused())));
    }
}
