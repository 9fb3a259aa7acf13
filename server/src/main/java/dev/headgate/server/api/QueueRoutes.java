package dev.headgate.server.api;

import dev.headgate.Headgate;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.text.NearestName;
import dev.headgate.internal.text.Served;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Response;
import dev.headgate.server.route.Call;
import dev.headgate.server.route.Route;
import dev.headgate.server.token.Right;
import dev.headgate.server.token.Token;
import dev.headgate.status.LongWait;
import dev.headgate.status.Overview;
import dev.headgate.status.QueueBacklog;
import dev.headgate.status.QueueCount;
import dev.headgate.status.Totals;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Queues: list them, look at one, see what there is to do and what has waited longest. */
public final class QueueRoutes {
    private static final int COUNT_MAX = 1_000_000;
    private static final int COUNT_DEFAULT = 1_000;
    private static final int WAITS_MAX = 1_000;
    private static final int WAITS_DEFAULT = 20;

    private QueueRoutes() {}

    /** All routes of queues but those that change them. */
    public static List<Route> all() {
        return List.of(
                Route.queues("listQueues", "GET", "/v1/queues", Right.READ, QueueRoutes::list)
                        .taking("limit", "cursor", "exact"),
                Route.queues("getQueue", "GET", "/v1/queues/{queue}", Right.READ, QueueRoutes::get)
                        .taking("exact"),
                Route.queues("getBacklog", "GET", "/v1/backlog", Right.READ, QueueRoutes::backlog)
                        .taking("max")
                        .takingMany("queue"),
                Route.queues("listWaits", "GET", "/v1/waits", Right.READ, QueueRoutes::waits)
                        .taking("limit")
                        .takingMany("queue"));
    }

    /** The queue in the path, as a gate. One that the token does not cover is as if it did not exist. */
    static GateKey covered(Call call) {
        String name = call.name("queue");
        GateKey key = GateRoutes.key(GateKey.Scope.QUEUE, name);
        if (!call.bearer().coversQueue(name)) {
            throw new ProblemException(
                    Problem.NOT_FOUND, "queue '%s': no such queue, or one that the token may not see".formatted(name));
        }
        return key;
    }

    private static Overview overview(Call call, boolean isExact) {
        return isExact
                ? call.headgate().demand().exactOverview()
                : call.headgate().overview();
    }

    private static QueueFigures figures(Call call, Overview overview, Set<GateKey> policies, boolean isExact) {
        Totals totals = isExact
                ? call.headgate().demand().exactTotals()
                : call.headgate().demand().totals();
        QueueFigures figures = new QueueFigures(overview, totals.oldest());
        new KnownNames(overview, policies).queues().forEach(figures::include);
        return figures;
    }

    private static Response list(Call call) {
        boolean isExact = call.query().flag("exact");
        Overview overview = overview(call, isExact);
        Set<GateKey> policies = call.headgate().policies().all().keySet();
        QueueFigures figures = figures(call, overview, policies, isExact);
        Token token = call.bearer();
        List<String> seen = figures.names().stream().filter(token::coversQueue).toList();
        Page<String> page = Page.of(call, "queues", seen, name -> name);
        Set<String> shown = Set.copyOf(page.items());
        return Response.json(
                200,
                JsonWriter.object()
                        .put("at", overview.at())
                        .put("queues", page.items().stream().map(figures::json).toList())
                        .put(
                                "limits",
                                overview.gates().stream()
                                        .filter(gate -> gate.key().scope() == GateKey.Scope.QUEUE
                                                && shown.contains(gate.key().name())
                                                && (!gate.policy().isEmpty() || gate.shut() != null))
                                        .map(gate -> GateJson.of(gate, policies))
                                        .toList())
                        .put("next", page.next()));
    }

    private static Response get(Call call) {
        GateKey key = covered(call);
        boolean isExact = call.query().flag("exact");
        Overview overview = overview(call, isExact);
        Map<GateKey, GatePolicy> policies = call.headgate().policies().all();
        GatePolicy pattern = key.isPattern() ? policies.get(key) : null;
        if (pattern != null) {
            return Response.json(200, GateJson.pattern(key, pattern));
        }
        QueueFigures figures = figures(call, overview, policies.keySet(), isExact);
        var gate = call.headgate().demand().findGate(key);
        if (gate.isEmpty() && !figures.names().contains(key.name())) {
            Set<String> seen = figures.names().stream()
                    .filter(call.bearer()::coversQueue)
                    .collect(Collectors.toCollection(TreeSet::new));
            throw new ProblemException(
                    Problem.NOT_FOUND,
                    "queue '%s': no job, policy or worker of this store names it%s"
                            .formatted(key.name(), NearestName.hint(key.name(), seen)));
        }
        return Response.json(
                200,
                figures.json(key.name())
                        .put(
                                "gate",
                                gate.map(view -> GateJson.of(view, policies.keySet()))
                                        .orElse(null))
                        .put("at", overview.at()));
    }

    /** The queues that are asked for: those of the query, else those of the token, else all. */
    private static List<String> asked(Call call, List<String> all) {
        Token token = call.bearer();
        List<String> named = call.query().texts("queue");
        for (String queue : named) {
            try {
                Served.check(queue);
            } catch (IllegalArgumentException wrong) {
                throw new ProblemException(Problem.BAD_QUERY, "parameter 'queue': " + wrong.getMessage());
            }
            if (!token.coversQueue(queue)) {
                throw new ProblemException(
                        Problem.OUTSIDE_SCOPE,
                        "parameter 'queue': expected some of %s, got '%s'"
                                .formatted(String.join(", ", token.queues()), queue));
            }
        }
        return !named.isEmpty() ? named : !token.queues().isEmpty() ? token.queues() : all;
    }

    private static Response backlog(Call call) {
        int max = call.query().number("max", 1, COUNT_MAX, COUNT_DEFAULT);
        List<QueueBacklog> backlogs =
                call.headgate().demand().byQueue(max, asked(call, List.of()).toArray(String[]::new));
        return Response.json(200, StatusJson.backlog(backlogs));
    }

    private static Response waits(Call call) {
        Headgate headgate = call.headgate();
        int limit = call.query().number("limit", 1, WAITS_MAX, WAITS_DEFAULT);
        Instant now = call.now();
        Served asked = Served.of(asked(call, List.of("*")));
        String[] waiting = headgate.overview().jobs().stream()
                .filter(count -> count.state().isWaiting() && asked.covers(count.queue()))
                .map(QueueCount::queue)
                .distinct()
                .toArray(String[]::new);
        List<LongWait> waits =
                waiting.length == 0 ? List.of() : headgate.demand().longestWaits(limit, waiting);
        return Response.json(
                200,
                JsonWriter.object()
                        .put(
                                "waits",
                                waits.stream()
                                        .filter(wait -> call.bearer()
                                                .covers(
                                                        wait.job().queue(),
                                                        wait.job().type()))
                                        .map(wait -> StatusJson.wait(wait, now))
                                        .toList()));
    }
}
