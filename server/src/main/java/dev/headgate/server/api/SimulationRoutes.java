package dev.headgate.server.api;

import dev.headgate.Headgate;
import dev.headgate.Policies;
import dev.headgate.Simulation;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.policy.PolicyChange;
import dev.headgate.server.http.JsonDocument;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Response;
import dev.headgate.server.policy.PolicyDiff;
import dev.headgate.server.route.Call;
import dev.headgate.server.route.Route;
import dev.headgate.server.simulation.ArrivalPattern;
import dev.headgate.server.simulation.RunTimes;
import dev.headgate.server.simulation.WhatIf;
import dev.headgate.server.token.Right;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;

/** What if: the backlog, or jobs to come, under other policies; and what a change of policies would do. */
public final class SimulationRoutes {
    /** A simulation takes a processor for as long as it runs, and the memory of all its jobs. */
    private static final Semaphore RUNNING = new Semaphore(2);

    private static final Set<String> WHAT_IF = Set.of("backlog", "arrivals", "slots", "duration", "run", "turn");

    private SimulationRoutes() {}

    public static List<Route> all() {
        return List.of(
                Route.shared("simulate", "POST", "/v1/simulate", Right.READ, SimulationRoutes::simulate),
                Route.shared(
                        "rehearsePolicies", "POST", "/v1/policies/dry-run", Right.READ, SimulationRoutes::rehearse));
    }

    private static WhatIf whatIf(JsonDocument sent) {
        Duration longest = sent.spanOrNull("duration");
        Duration run = sent.spanOrNull("run");
        Duration turn = sent.spanOrNull("turn");
        Integer slots = sent.has("slots") ? sent.integer("slots") : null;
        List<ArrivalPattern> arrivals = JsonDocument.read(
                "arrivals",
                () -> sent.texts("arrivals").stream().map(ArrivalPattern::parse).toList());
        return Problems.refusing(() -> new WhatIf(
                sent.flag("backlog"),
                arrivals,
                slots,
                Objects.requireNonNullElse(longest, WhatIf.LONGEST),
                run,
                Objects.requireNonNullElse(turn, WhatIf.TURN)));
    }

    private static SortedMap<GateKey, GatePolicy> policies(JsonDocument sent, String field) {
        return sent.has(field) ? PolicyBody.ofJson(field, sent.raw(field, "{}")) : new TreeMap<>();
    }

    private static Response simulate(Call call) {
        Set<String> fields = new HashSet<>(WHAT_IF);
        fields.add("policies");
        JsonDocument body = call.bodyOrNone(fields);
        return Response.json(200, played(call.headgate(), whatIf(body), policies(body, "policies")));
    }

    private static JsonWriter played(Headgate headgate, WhatIf asked, Map<GateKey, GatePolicy> laidOver) {
        if (!RUNNING.tryAcquire()) {
            throw new ProblemException(Problem.BUSY, "expected at most two simulations at a time, got another one")
                    .header("Retry-After", "5");
        }
        try {
            RunTimes times = new RunTimes(headgate, asked.run(), asked.turn());
            Simulation simulation = Problems.refusing(() -> asked.on(headgate, laidOver, times));
            return WhatIf.json(simulation.run(), simulation, times);
        } finally {
            RUNNING.release();
        }
    }

    /** What a file of policies would change, or why it would be refused, and how the backlog would go with it. */
    private static Response rehearse(Call call) {
        JsonDocument body = call.body(Set.of("policies", "prune", "simulate"));
        Policies policies = call.headgate().policies();
        long version = policies.version();
        PolicyDiff diff = PolicyDiff.of(policies.all(), policies(body, "policies"), body.flag("prune"));
        List<PolicyChange> changes = Problems.refusing(() -> policies.rehearse(diff.edits()));
        JsonWriter before = null;
        JsonWriter after = null;
        if (body.has("simulate")) {
            WhatIf asked = whatIf(JsonDocument.parse(body.raw("simulate", "{}"), WHAT_IF));
            before = played(call.headgate(), asked, Map.of());
            after = played(call.headgate(), asked, after(changes));
        }
        return VersionTag.on(
                version,
                Response.json(
                        200,
                        JsonWriter.object()
                                .put("changes", diff.json())
                                .put("untouched", diff.untouched())
                                .put("version", version)
                                .put("before", before)
                                .put("after", after)));
    }

    private static Map<GateKey, GatePolicy> after(List<PolicyChange> changes) {
        Map<GateKey, GatePolicy> after = new TreeMap<>();
        for (PolicyChange change : changes) {
            if (change.key().scope() != GateKey.Scope.TYPE) {
                after.put(change.key(), change.after().lasting());
            }
        }
        return after;
    }
}
