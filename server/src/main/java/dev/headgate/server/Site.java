package dev.headgate.server;

import dev.headgate.Headgate;
import dev.headgate.NotFoundException;
import dev.headgate.RunEndedException;
import dev.headgate.internal.lease.WorkerLostException;
import dev.headgate.limit.BacklogFullException;
import dev.headgate.run.BudgetExceededException;
import dev.headgate.server.access.Gatekeeper;
import dev.headgate.server.api.ControlRoutes;
import dev.headgate.server.api.EventRoutes;
import dev.headgate.server.api.EvidenceRoutes;
import dev.headgate.server.api.FigureRoutes;
import dev.headgate.server.api.GateRoutes;
import dev.headgate.server.api.JobRoutes;
import dev.headgate.server.api.PermitRoutes;
import dev.headgate.server.api.PolicyRoutes;
import dev.headgate.server.api.Problems;
import dev.headgate.server.api.QueueRoutes;
import dev.headgate.server.api.RunActRoutes;
import dev.headgate.server.api.RunRoutes;
import dev.headgate.server.api.ScheduleRoutes;
import dev.headgate.server.api.ServerRoutes;
import dev.headgate.server.api.SimulationRoutes;
import dev.headgate.server.api.StatusRoutes;
import dev.headgate.server.api.WorkRoutes;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Query;
import dev.headgate.server.http.Request;
import dev.headgate.server.http.Response;
import dev.headgate.server.http.SafeHeaders;
import dev.headgate.server.once.RequestKey;
import dev.headgate.server.route.Call;
import dev.headgate.server.route.LiveState;
import dev.headgate.server.route.Route;
import dev.headgate.server.route.Router;
import dev.headgate.server.token.Token;
import dev.headgate.store.StoreRefusedException;
import dev.headgate.store.StoreUnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is done with each request, in this order: host, route, token, right, parameters, action. */
final class Site {
    private static final Logger LOG = LoggerFactory.getLogger(Site.class);

    private final Headgate headgate;
    private final LiveState live;
    private final Gatekeeper gatekeeper;
    private final String basePath;
    private final Router router = new Router(routes());

    /** @param basePath what comes before {@code /v1} in every path, such as {@code /headgate}; empty for nothing */
    Site(Headgate headgate, LiveState live, Gatekeeper gatekeeper, String basePath) {
        this.headgate = headgate;
        this.live = live;
        this.gatekeeper = gatekeeper;
        this.basePath = basePath;
    }

    /** All routes of the API. */
    static List<Route> routes() {
        List<Route> routes = new ArrayList<>();
        routes.addAll(ServerRoutes.all());
        routes.addAll(JobRoutes.all());
        routes.addAll(RunRoutes.all());
        routes.addAll(RunActRoutes.all());
        routes.addAll(EventRoutes.all());
        routes.addAll(WorkRoutes.all());
        routes.addAll(QueueRoutes.all());
        routes.addAll(GateRoutes.all());
        routes.addAll(ControlRoutes.all());
        routes.addAll(StatusRoutes.all());
        routes.addAll(PolicyRoutes.all());
        routes.addAll(ScheduleRoutes.all());
        routes.addAll(PermitRoutes.all());
        routes.addAll(SimulationRoutes.all());
        routes.addAll(EvidenceRoutes.all());
        routes.addAll(FigureRoutes.all());
        return routes;
    }

    /** Never throws: what goes wrong is a problem for the client, and in the log if it is our fault. */
    Response answer(Request request) {
        return SafeHeaders.on(attempt(request));
    }

    private Response attempt(Request request) {
        try {
            return dispatch(request);
        } catch (ProblemException wrong) {
            return Problems.response(wrong);
        } catch (NotFoundException unknown) {
            return problem(Problem.NOT_FOUND, unknown);
        } catch (WorkerLostException lost) {
            return problem(Problem.WORKER_LOST, lost);
        } catch (RunEndedException ended) {
            return problem(Problem.WRONG_STATE, ended);
        } catch (BudgetExceededException tooSmall) {
            return problem(Problem.BAD_FIELD, tooSmall);
        } catch (BacklogFullException full) {
            return problem(Problem.BACKLOG_FULL, full).with("Retry-After", "1");
        } catch (StoreUnavailableException | StoreRefusedException gone) {
            LOG.warn("the store did not answer a request: {}", gone.getMessage());
            return Problems.response(new ProblemException(Problem.STORE_UNAVAILABLE, "the store did not answer"))
                    .with("Retry-After", "1");
        } catch (RuntimeException fault) {
            String number = UUID.randomUUID().toString();
            LOG.error("request failed, told as {}", number, fault);
            return Problems.response(new ProblemException(Problem.INTERNAL, "see the server's log for " + number));
        }
    }

    private static Response problem(Problem problem, RuntimeException cause) {
        return Problems.response(new ProblemException(problem, String.valueOf(cause.getMessage())));
    }

    private Response dispatch(Request request) {
        gatekeeper.checkHost(request);
        String target = request.target();
        int mark = target.indexOf('?');
        String path = below(mark < 0 ? target : target.substring(0, mark));
        boolean isHead = request.method().equals("HEAD");
        Router.Match match = router.find(isHead ? "GET" : request.method(), path);
        Token token = gatekeeper.admit(request, match.route());
        if (!match.route().headers().contains(RequestKey.HEADER)
                && !request.headers(RequestKey.HEADER).isEmpty()) {
            throw new ProblemException(
                    Problem.BAD_HEADER,
                    "expected no header '%s' here, got one that would be ignored".formatted(RequestKey.HEADER));
        }
        Query query = Query.parse(
                mark < 0 ? "" : target.substring(mark + 1),
                match.route().query(),
                match.route().repeated());
        return match.route()
                .action()
                .answer(new Call(
                        headgate, live, request, match.path(), query, token, () -> isAdmitted(request, match.route())));
    }

    private boolean isAdmitted(Request request, Route route) {
        try {
            gatekeeper.admit(request, route);
            return true;
        } catch (ProblemException revoked) {
            return false;
        }
    }

    private String below(String path) {
        if (!basePath.isEmpty() && !path.startsWith(basePath + "/")) {
            throw new ProblemException(Problem.NO_SUCH_ROUTE, "expected a path below %s/".formatted(basePath));
        }
        String rest = path.substring(basePath.length());
        if (!rest.startsWith("/")) {
            throw new ProblemException(Problem.NO_SUCH_ROUTE, "expected a path that begins with /");
        }
        return rest;
    }
}
