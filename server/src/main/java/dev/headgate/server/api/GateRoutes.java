package dev.headgate.server.api;

import dev.headgate.Headgate;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.text.NearestName;
import dev.headgate.job.JobFilter;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Response;
import dev.headgate.server.route.Call;
import dev.headgate.server.route.Route;
import dev.headgate.server.token.Right;
import dev.headgate.status.Overview.GateView;
import dev.headgate.status.Overview.Lag;
import dev.headgate.status.Overview.Line;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Gates: list them, look at one with its holders and the head of its line. */
public final class GateRoutes {
    private static final int NAMES_MAX = 1_000;

    private GateRoutes() {}

    /** All routes of gates but those that change them. */
    public static List<Route> all() {
        return List.of(
                Route.shared("listGates", "GET", "/v1/gates", Right.READ, GateRoutes::list)
                        .taking("limit", "cursor"),
                Route.shared("getGate", "GET", "/v1/gates/{gate}", Right.READ, GateRoutes::get));
    }

    /** A name of a path as a key; one that no gate can have names none. */
    static GateKey key(GateKey.Scope scope, String name) {
        try {
            return new GateKey(scope, name);
        } catch (IllegalArgumentException impossible) {
            throw new ProblemException(Problem.NOT_FOUND, String.valueOf(impossible.getMessage()));
        }
    }

    private static Response list(Call call) {
        Headgate headgate = call.headgate();
        Set<GateKey> policies = headgate.policies().all().keySet();
        int limit = Page.limit(call);
        String after = Page.after(call, "gates");
        List<GateView> gates = headgate.demand().gates(after, limit + 1);
        Page<GateView> page = Page.cut(call, "gates", gates, gate -> gate.key().name());
        return Response.json(
                200,
                JsonWriter.object()
                        .put("at", call.now())
                        .put(
                                "gates",
                                page.items().stream()
                                        .map(gate -> GateJson.of(gate, policies))
                                        .toList())
                        .put("next", page.next()));
    }

    private static Response get(Call call) {
        Headgate headgate = call.headgate();
        GateKey key = key(GateKey.Scope.GATE, call.name("gate"));
        Map<GateKey, GatePolicy> policies = headgate.policies().all();
        GatePolicy pattern = key.isPattern() ? policies.get(key) : null;
        if (pattern != null) {
            return Response.json(200, GateJson.pattern(key, pattern));
        }
        GateView gate = headgate.demand()
                .findGate(key)
                .or(() -> named(headgate, key))
                .orElseThrow(() -> unknown(headgate, key, policies.keySet()));
        JsonWriter json = GateJson.of(gate, policies.keySet());
        GateJobs.read(headgate, key.name()).put(json);
        return Response.json(200, json);
    }

    /** A gate that a job names, and that none has come to. */
    private static Optional<GateView> named(Headgate headgate, GateKey key) {
        return headgate.page(JobFilter.all().gate(key.name()).limit(1)).jobs().isEmpty()
                ? Optional.empty()
                : Optional.of(new GateView(
                        key, "", null, 0, 0, List.of(), List.of(), List.of(), Line.NONE, null, null, Lag.NONE));
    }

    private static ProblemException unknown(Headgate headgate, GateKey key, Set<GateKey> policies) {
        Set<String> known = new TreeSet<>();
        policies.stream()
                .filter(policy -> policy.scope() == GateKey.Scope.GATE)
                .forEach(policy -> known.add(policy.name()));
        headgate.demand()
                .gates(null, NAMES_MAX)
                .forEach(gate -> known.add(gate.key().name()));
        return new ProblemException(
                Problem.NOT_FOUND,
                "gate '%s': no policy of this store covers it, and no job names it%s"
                        .formatted(key.name(), NearestName.hint(key.name(), known)));
    }
}
