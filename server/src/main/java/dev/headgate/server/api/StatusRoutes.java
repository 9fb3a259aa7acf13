package dev.headgate.server.api;

import dev.headgate.Demand;
import dev.headgate.Headgate;
import dev.headgate.Policies;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.text.NearestName;
import dev.headgate.resource.TypeFigures;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Response;
import dev.headgate.server.route.Call;
import dev.headgate.server.route.Route;
import dev.headgate.server.token.Right;
import dev.headgate.status.Overview;
import dev.headgate.status.Overview.WorkerView;
import dev.headgate.status.Totals;
import java.util.List;

/** The store at a glance: everything in brief, workers, job types. */
public final class StatusRoutes {
    private StatusRoutes() {}

    /** All routes that only look at the store as a whole. */
    public static List<Route> all() {
        return List.of(
                Route.shared("getStatus", "GET", "/v1/status", Right.READ, StatusRoutes::status)
                        .taking("exact"),
                Route.shared("getTotals", "GET", "/v1/totals", Right.READ, StatusRoutes::totals)
                        .taking("exact"),
                Route.shared("listWorkers", "GET", "/v1/workers", Right.READ, StatusRoutes::workers)
                        .taking("limit", "cursor"),
                Route.shared("getWorker", "GET", "/v1/workers/{worker}", Right.READ, StatusRoutes::worker),
                Route.shared("listTypes", "GET", "/v1/types", Right.READ, StatusRoutes::types)
                        .taking("limit", "cursor"),
                Route.shared("getType", "GET", "/v1/types/{type}", Right.READ, StatusRoutes::type));
    }

    private static Totals totals(Demand demand, boolean isExact) {
        return isExact ? demand.exactTotals() : demand.totals();
    }

    private static Response status(Call call) {
        Headgate headgate = call.headgate();
        boolean isExact = call.query().flag("exact");
        Overview overview = isExact ? headgate.demand().exactOverview() : headgate.overview();
        return Response.json(
                200,
                StatusJson.status(
                        headgate.describe(),
                        overview,
                        totals(headgate.demand(), isExact),
                        headgate.policies().all().keySet()));
    }

    private static Response totals(Call call) {
        return Response.json(
                200,
                StatusJson.totals(totals(call.headgate().demand(), call.query().flag("exact"))));
    }

    private static Response workers(Call call) {
        Page<WorkerView> page =
                Page.of(call, "workers", call.headgate().demand().workers(), WorkerView::id);
        return Response.json(
                200,
                JsonWriter.object()
                        .put("at", call.now())
                        .put("workers", WorkerJson.all(page.items()))
                        .put("next", page.next()));
    }

    private static Response worker(Call call) {
        String asked = call.name("worker");
        List<WorkerView> workers = call.headgate().demand().workers();
        return workers.stream()
                .filter(worker -> worker.id().equals(asked))
                .findFirst()
                .map(worker -> Response.json(200, WorkerJson.of(worker)))
                .orElseThrow(() -> new ProblemException(
                        Problem.NOT_FOUND,
                        "worker '%s': no such worker%s"
                                .formatted(
                                        asked,
                                        NearestName.hint(
                                                asked,
                                                workers.stream()
                                                        .map(WorkerView::id)
                                                        .toList()))));
    }

    private static Response types(Call call) {
        Policies policies = call.headgate().policies();
        Page<TypeFigures> page = Page.of(call, "types", TypeList.read(call.headgate()), TypeFigures::type);
        return Response.json(
                200,
                JsonWriter.object()
                        .put(
                                "types",
                                page.items().stream()
                                        .map(type -> StatusJson.type(type, policies.ofType(type.type())))
                                        .toList())
                        .put("next", page.next()));
    }

    private static Response type(Call call) {
        String asked = call.name("type");
        List<TypeFigures> types = TypeList.read(call.headgate());
        return types.stream()
                .filter(type -> type.type().equals(asked))
                .findFirst()
                .map(type -> Response.json(
                        200, StatusJson.type(type, call.headgate().policies().ofType(asked))))
                .orElseThrow(() -> new ProblemException(
                        Problem.NOT_FOUND,
                        "type '%s': no worker has run it, and no policy names it%s"
                                .formatted(
                                        asked,
                                        NearestName.hint(
                                                asked,
                                                types.stream()
                                                        .map(TypeFigures::type)
                                                        .toList()))));
    }
}
