package dev.headgate.server.api;

import dev.headgate.RunOptions;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.run.Guardrail;
import dev.headgate.run.RunEvent;
import dev.headgate.run.RunFilter;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.run.RunStatus;
import dev.headgate.run.Started;
import dev.headgate.run.WorkflowDefinition;
import dev.headgate.server.http.JsonDocument;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Query;
import dev.headgate.server.http.Response;
import dev.headgate.server.route.Call;
import dev.headgate.server.route.Route;
import dev.headgate.server.token.Right;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Workflows and machines: what is registered, its runs, and what is known of each. */
public final class RunRoutes {
    private static final String WORKFLOW = "/v1/workflows/{workflow}";
    private static final String RUN = "/v1/runs/{run}";
    private static final int PAGE_MAX = 1_000;
    private static final int PAGE = 100;

    private RunRoutes() {}

    public static List<Route> all() {
        return List.of(
                Route.jobs("listWorkflows", "GET", "/v1/workflows", Right.READ, RunRoutes::definitions),
                Route.jobs("getWorkflow", "GET", WORKFLOW, Right.READ, RunRoutes::definition),
                Route.jobs("startRun", "POST", WORKFLOW + "/runs", Right.ENQUEUE, RunRoutes::start),
                Route.jobs("listRuns", "GET", "/v1/runs", Right.READ, RunRoutes::list)
                        .taking("workflow", "state", "limit", "cursor"),
                Route.jobs("getRun", "GET", RUN, Right.READ, RunRoutes::get),
                Route.jobs("getRunTree", "GET", RUN + "/tree", Right.READ, RunRoutes::tree)
                        .taking("limit", "cursor"),
                Route.jobs("getTimeline", "GET", RUN + "/timeline", Right.READ, RunRoutes::timeline)
                        .taking("limit", "cursor"),
                Route.jobs("listArtifacts", "GET", RUN + "/artifacts", Right.READ, RunRoutes::artifacts),
                Route.jobs("getArtifact", "GET", RUN + "/artifacts/{artifact}", Right.PAYLOADS, RunRoutes::artifact));
    }

    private static Response definitions(Call call) {
        RunScope scope = new RunScope(call);
        return Response.json(
                200,
                JsonWriter.object()
                        .put(
                                "definitions",
                                call.headgate().workflows().definitions().stream()
                                        .filter(scope::covers)
                                        .map(RunJson::definition)
                                        .toList()));
    }

    private static Response definition(Call call) {
        return Response.json(200, RunJson.definition(RunScope.definition(call)));
    }

    private static Response start(Call call) {
        JsonDocument body = call.bodyOrNone(Set.of("input", "key", "priority", "budget"));
        WorkflowDefinition definition = RunScope.definition(call);
        Map<Guardrail, Long> budget = BudgetReader.read(body, "budget");
        String key = body.textOrNull("key");
        int priority = body.has("priority") ? body.integer("priority") : 0;
        Started started = JobRoutes.stored(() -> call.headgate()
                .workflows()
                .startJson(
                        definition.name(),
                        definition.version(),
                        body.raw("input", "{}"),
                        run -> options(run, key, priority, budget)));
        return Response.json(
                        started.isNew() ? 201 : 200,
                        JsonWriter.object()
                                .put("id", started.id().value())
                                .put("workflow", definition.name())
                                .put("version", definition.version())
                                .put("new", started.isNew()))
                .with("Location", "v1/runs/" + started.id());
    }

    private static void options(RunOptions run, @Nullable String key, int priority, Map<Guardrail, Long> budget) {
        if (key != null) {
            run.key(key);
        }
        run.priority(priority).budget(limits -> {
            var changed = limits;
            for (Map.Entry<Guardrail, Long> limit : budget.entrySet()) {
                changed = changed.with(limit.getKey(), limit.getValue());
            }
            return changed;
        });
    }

    private static Response list(Call call) {
        Query query = call.query();
        String workflow = query.text("workflow");
        RunScope scope = new RunScope(call);
        if (call.bearer().isScoped()
                && (workflow == null
                        || call.headgate().workflows().definitions().stream()
                                .noneMatch(each -> each.name().equals(workflow) && scope.covers(each)))) {
            throw new ProblemException(
                    Problem.OUTSIDE_SCOPE,
                    "expected the parameter 'workflow' with one that the token covers, got %s"
                            .formatted(workflow == null ? "none" : "'" + workflow + "'"));
        }
        RunState state = query.oneOf("state", RunState.class);
        RunFilter filter = RunFilter.all().limit(query.number("limit", 1, RunFilter.LIMIT_MAX, PAGE));
        filter = workflow == null ? filter : filter.workflow(workflow);
        filter = state == null ? filter : filter.state(state);
        List<String> asked = List.of("workflow=" + workflow, "state=" + state);
        String cursor = query.text("cursor");
        if (cursor != null) {
            filter = filter.before(RunId.parse(Cursor.read(cursor, asked)));
        }
        List<RunStatus> runs = call.headgate().workflows().list(filter);
        String next = runs.size() < filter.limit()
                ? null
                : Cursor.of(runs.getLast().id().toString(), asked);
        return Response.json(
                200,
                JsonWriter.object()
                        .put(
                                "runs",
                                runs.stream()
                                        .filter(scope::covers)
                                        .map(RunJson::listed)
                                        .toList())
                        .put("next", next));
    }

    private static Response get(Call call) {
        RunStatus run = RunScope.run(call);
        JsonWriter json = call.bearer().has(Right.PAYLOADS) ? RunJson.whole(run) : RunJson.listed(run);
        return Response.json(200, json.put("steps", steps(call, run)));
    }

    private static List<JsonWriter> steps(Call call, RunStatus run) {
        return call.headgate().workflows().work(run.id()).stream()
                .map(RunJson::work)
                .toList();
    }

    private static Response tree(Call call) {
        RunStatus run = RunScope.run(call);
        List<RunStatus> parts = call.headgate().workflows().tree(run.id());
        return page(call, run, "parts", parts, part -> part.id().toString(), RunJson::listed);
    }

    private static Response timeline(Call call) {
        RunStatus run = RunScope.run(call);
        List<RunEvent> events = call.headgate().workflows().timeline(run.id());
        return page(
                call,
                run,
                "events",
                events,
                event -> "%s.%d".formatted(event.part(), event.number()),
                call.bearer().has(Right.PAYLOADS) ? RunJson::event : RunJson::happened);
    }

    /** A part of a list that is read as a whole: the budget of a run bounds it. */
    private static <T> Response page(
            Call call,
            RunStatus run,
            String name,
            List<T> all,
            Function<T, String> position,
            Function<T, JsonWriter> writer) {
        int limit = call.query().number("limit", 1, PAGE_MAX, PAGE_MAX);
        List<String> asked = List.of(name, run.id().toString());
        String cursor = call.query().text("cursor");
        int from = 0;
        if (cursor != null) {
            String last = Cursor.read(cursor, asked);
            while (from < all.size() && !position.apply(all.get(from)).equals(last)) {
                from++;
            }
            from++; // behind it; past the end if it is gone
        }
        List<T> rest = from >= all.size() ? List.of() : all.subList(from, all.size());
        List<T> shown = rest.size() <= limit ? rest : rest.subList(0, limit);
        return Response.json(
                200,
                JsonWriter.object()
                        .put("id", run.id().value())
                        .put(name, shown.stream().map(writer).toList())
                        .put(
                                "next",
                                shown.size() == rest.size()
                                        ? null
                                        : Cursor.of(position.apply(shown.getLast()), asked)));
    }

    private static Response artifacts(Call call) {
        RunStatus run = RunScope.run(call);
        return Response.json(
                200,
                JsonWriter.object()
                        .put("id", run.id().value())
                        .put("artifacts", call.headgate().workflows().artifacts(run.id())));
    }

    private static Response artifact(Call call) {
        RunStatus run = RunScope.run(call);
        String name = call.path("artifact");
        String content = call.headgate()
                .workflows()
                .findArtifact(run.id(), name)
                .orElseThrow(() -> new ProblemException(
                        Problem.NOT_FOUND,
                        "run %s: expected one of its artifacts, got another name".formatted(run.id())));
        // Never shown by a browser as a page of this server, whatever it holds.
        return Response.text(200, "text/plain; charset=utf-8", content).with("Content-Disposition", "attachment");
    }
}
