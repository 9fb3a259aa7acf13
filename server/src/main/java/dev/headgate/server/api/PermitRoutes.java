package dev.headgate.server.api;

import dev.headgate.internal.access.OpenStore;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.limiter.GateLimiter;
import dev.headgate.internal.limiter.PermitStore;
import dev.headgate.internal.limiter.RequestedPermits;
import dev.headgate.internal.limiter.RequestedPermits.Denied;
import dev.headgate.internal.limiter.RequestedPermits.Differs;
import dev.headgate.internal.limiter.RequestedPermits.Held;
import dev.headgate.internal.text.Names;
import dev.headgate.internal.time.Ticker;
import dev.headgate.limit.GateKey;
import dev.headgate.limiter.Limiter.Use;
import dev.headgate.limiter.LocalLimiter;
import dev.headgate.server.http.JsonDocument;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Response;
import dev.headgate.server.route.Call;
import dev.headgate.server.route.Route;
import dev.headgate.server.token.Right;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Limits without jobs: permits of gates and queues, for programs in any language. */
public final class PermitRoutes {
    private static final String ONE = "/v1/permits/{permit}";
    private static final int GATES_MAX = 16;
    private static final Duration WAIT_MAX = Duration.ofSeconds(25);
    private static final long LOOK_MIN_NANOS = 5_000_000;
    private static final long LOOK_MAX_NANOS = 100_000_000;
    private static final int RADIX = 36;

    private PermitRoutes() {}

    /** All routes of permits. */
    public static List<Route> all() {
        return List.of(
                Route.shared("acquirePermit", "POST", "/v1/permits", Right.WORK, PermitRoutes::acquire),
                Route.shared("getPermit", "GET", ONE, Right.WORK, PermitRoutes::get),
                Route.shared("settlePermit", "POST", ONE + "/settle", Right.WORK, PermitRoutes::settle),
                Route.shared("renewPermit", "POST", ONE + "/renew", Right.WORK, PermitRoutes::renew),
                Route.shared("pushBackPermit", "POST", ONE + "/push-back", Right.WORK, PermitRoutes::pushBack),
                Route.shared("releasePermit", "DELETE", ONE, Right.WORK, PermitRoutes::release)
                        .taking("late", "lag"),
                Route.shared("getLimits", "GET", "/v1/limits", Right.READ, PermitRoutes::limits)
                        .taking("cost")
                        .takingMany("gate")
                        .takingMany("queue"));
    }

    private static RequestedPermits permits(Call call) {
        return new RequestedPermits(new PermitStore(OpenStore.of(call.headgate())));
    }

    /** The permits of a token are those whose requests begin so: another token cannot speak for them. */
    private static String owner(Call call) {
        return call.bearer().id() + " ";
    }

    private static Response acquire(Call call) {
        JsonDocument body = call.body(Set.of("request", "gates", "queues", "cost", "timeToLive", "wait"));
        String request = JsonDocument.read("request", () -> Names.check("request", body.text("request")));
        List<GateKey> gates = gates(body.texts("gates"), body.texts("queues"));
        Long asked = body.numberOrNull("cost");
        long cost = asked == null ? 1 : asked;
        JsonDocument.read("cost", () -> {
            LocalLimiter.checkCost(cost);
            return cost;
        });
        Duration timeToLive = timeToLive(body);
        Duration wait = body.spanOrNull("wait");
        if (wait != null && wait.compareTo(WAIT_MAX) > 0) {
            throw new ProblemException(
                    Problem.BAD_FIELD, "field 'wait': expected at most 25s, got %s".formatted(body.text("wait")));
        }
        RequestedPermits permits = permits(call);
        String whole = owner(call) + request;
        return switch (granted(permits, whole, gates, cost, timeToLive, wait == null ? Duration.ZERO : wait)) {
            case Held held -> Response.json(200, json(held).put("granted", true));
            case Denied denied -> Response.json(200, json(denied).put("granted", false));
            case Differs differs ->
                throw new ProblemException(
                        Problem.WRONG_STATE,
                        "request '%s': expected the gates and cost that it asked for before, got others"
                                .formatted(request));
        };
    }

    private static List<GateKey> gates(List<String> gates, List<String> queues) {
        List<GateKey> keys = new ArrayList<>();
        gates.forEach(name -> keys.add(JsonDocument.read("gates", () -> GateKey.gate(name))));
        queues.forEach(name -> keys.add(JsonDocument.read("queues", () -> GateKey.queue(name))));
        List<GateKey> distinct = keys.stream().distinct().toList();
        if (distinct.isEmpty() || distinct.size() > GATES_MAX) {
            throw new ProblemException(
                    Problem.BAD_FIELD,
                    "expected 1 to %d gates and queues, got %d".formatted(GATES_MAX, distinct.size()));
        }
        return distinct;
    }

    private static Duration timeToLive(JsonDocument body) {
        Duration asked = body.spanOrNull("timeToLive");
        return asked == null
                ? GateLimiter.TIME_TO_LIVE
                : JsonDocument.read("timeToLive", () -> GateLimiter.checkTimeToLive(asked));
    }

    /** Asks until it is granted, can never be, or the wait is over. Between two asks it only looks, without a lock. */
    private static RequestedPermits.Answer granted(
            RequestedPermits permits,
            String request,
            List<GateKey> gates,
            long cost,
            Duration timeToLive,
            Duration wait) {
        long deadline = Ticker.SYSTEM.nanos() + wait.toNanos();
        long look = LOOK_MIN_NANOS;
        while (true) {
            RequestedPermits.Answer answer = permits.acquire(request, gates, cost, timeToLive);
            Denied denied = answer instanceof Denied refused ? refused : null;
            while (denied != null) {
                long left = deadline - Ticker.SYSTEM.nanos();
                if (denied.isNever() || left <= 0 || Thread.currentThread().isInterrupted()) {
                    return denied;
                }
                Duration next = denied.next();
                long opens = next == null ? Long.MAX_VALUE : next.toNanos();
                LockSupport.parkNanos(Math.min(left, Math.min(opens, look)));
                look = Math.min(LOOK_MAX_NANOS, look * 2);
                denied = permits.check(gates, cost);
            }
            if (!(answer instanceof Denied)) {
                return answer;
            }
        }
    }

    private static JsonWriter json(Held held) {
        return JsonWriter.object()
                .put("permit", Long.toString(-held.id(), RADIX))
                .put("endsAt", held.endsAt())
                .put("startWithinMs", held.startWithin())
                .put("settled", held.settled())
                .put("open", held.isOpen());
    }

    private static JsonWriter json(Denied denied) {
        return JsonWriter.object()
                .put("reason", denied.reason())
                .put("nextMs", upMillis(denied.next()))
                .put("never", denied.isNever());
    }

    /** Rounded up: asked again a moment too early, it would be denied again. */
    private static @Nullable Long upMillis(@Nullable Duration span) {
        return span == null ? null : Long.valueOf(Math.ceilDiv(span.toNanos(), TimeUnit.MILLISECONDS.toNanos(1)));
    }

    private static long id(Call call) {
        try {
            long number = Long.parseLong(call.name("permit"), RADIX);
            if (number > 0) {
                return -number;
            }
        } catch (NumberFormatException notOurs) {
            // told below
        }
        throw unknown(call);
    }

    private static ProblemException unknown(Call call) {
        return new ProblemException(
                Problem.NOT_FOUND,
                "permit '%s': expected one that this token was given and that has not ended long ago"
                        .formatted(call.name("permit")));
    }

    private static Response get(Call call) {
        Held held = permits(call).find(owner(call), id(call));
        if (held == null) {
            throw unknown(call);
        }
        return Response.json(200, json(held));
    }

    private static Response counted(Call call, @Nullable Boolean isCounted) {
        if (isCounted == null) {
            throw unknown(call);
        }
        return Response.json(
                200, JsonWriter.object().put("permit", call.name("permit")).put("counted", isCounted));
    }

    private static Response settle(Call call) {
        long cost = call.body(Set.of("cost")).number("cost");
        JsonDocument.read("cost", () -> {
            LocalLimiter.checkCost(cost);
            return cost;
        });
        return counted(call, permits(call).settle(owner(call), id(call), cost));
    }

    private static Response renew(Call call) {
        Duration timeToLive = timeToLive(call.bodyOrNone(Set.of("timeToLive")));
        return counted(call, permits(call).renew(owner(call), id(call), timeToLive));
    }

    private static Response pushBack(Call call) {
        Duration retryAfter = call.bodyOrNone(Set.of("retryAfter")).spanOrNull("retryAfter");
        return counted(call, permits(call).pushBack(owner(call), id(call), retryAfter));
    }

    private static Response release(Call call) {
        call.bodyOrNone(Set.of());
        boolean isLate = call.query().flag("late");
        Duration lag = call.query().span("lag");
        return counted(
                call,
                isLate
                        ? permits(call).giveUp(owner(call), id(call), Objects.requireNonNullElse(lag, Duration.ZERO))
                        : permits(call).release(owner(call), id(call), lag));
    }

    /** What is used of each limit, and whether a permit would be denied now. Takes nothing. */
    private static Response limits(Call call) {
        List<GateKey> gates;
        try {
            gates = gates(call.query().texts("gate"), call.query().texts("queue"));
        } catch (ProblemException wrong) {
            throw new ProblemException(Problem.BAD_QUERY, wrong.detail());
        }
        int cost = call.query().number("cost", 0, Integer.MAX_VALUE, 1);
        PermitStore store = new PermitStore(OpenStore.of(call.headgate()));
        Denied denied = permits(call).check(gates, cost);
        return Response.json(
                200,
                JsonWriter.object()
                        .put(
                                "uses",
                                store.usage(gates).stream()
                                        .map(PermitRoutes::json)
                                        .toList())
                        .put("denied", denied == null ? null : json(denied)));
    }

    private static JsonWriter json(Use use) {
        return JsonWriter.object()
                .put("limit", use.limit().text())
                .put("used", use.used())
                .put("most", use.most());
    }
}
