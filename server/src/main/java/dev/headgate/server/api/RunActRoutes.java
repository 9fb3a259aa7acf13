package dev.headgate.server.api;

import dev.headgate.Workflows;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.job.OperationResult;
import dev.headgate.run.Guardrail;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.run.RunStatus;
import dev.headgate.server.http.JsonDocument;
import dev.headgate.server.http.Problem;
import dev.headgate.server.http.ProblemException;
import dev.headgate.server.http.Response;
import dev.headgate.server.route.Call;
import dev.headgate.server.route.Route;
import dev.headgate.server.token.Right;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What is done to runs. The timeline of a run names the token that did it. */
public final class RunActRoutes {
    private static final String RUN = "/v1/runs/{run}";

    private RunActRoutes() {}

    public static List<Route> all() {
        return List.of(
                act("cancelRun", "cancel", "one under way that is not being cancelled yet", Workflows::cancel),
                act("pauseRun", "pause", "one under way", Workflows::pause),
                act(
                        "resumeRun",
                        "resume",
                        "one that is paused, or stopped by a budget that has been topped up",
                        Workflows::resume),
                act("retryRun", "retry", "one without a parent that failed or was cancelled", Workflows::retry),
                Route.jobs("rewindRun", "POST", RUN + "/rewind", Right.OPERATE, RunActRoutes::rewind),
                Route.jobs("topUpRun", "POST", RUN + "/top-up", Right.OPERATE, RunActRoutes::topUp),
                Route.jobs("signalRun", "POST", RUN + "/signal", Right.OPERATE, RunActRoutes::signal),
                Route.jobs("approveRun", "POST", RUN + "/approve", Right.OPERATE, call -> decide(call, true)),
                Route.jobs("rejectRun", "POST", RUN + "/reject", Right.OPERATE, call -> decide(call, false)));
    }

    /** One act that needs no more than a reason. */
    private interface Act {
        OperationResult on(Workflows workflows, RunId run, String reason);
    }

    private static Route act(String id, String name, String expected, Act act) {
        return Route.jobs(id, "POST", RUN + "/" + name, Right.OPERATE, call -> {
            JsonDocument body = call.bodyOrNone(Set.of("reason"));
            RunId run = RunScope.run(call).id();
            return answer(call, run, expected, act.on(call.headgate().workflows(), run, reason(call, body)));
        });
    }

    private static Response rewind(Call call) {
        JsonDocument body = call.body(Set.of("step", "reason"));
        RunId run = RunScope.run(call).id();
        String step = body.text("step");
        return answer(
                call,
                run,
                "one without a parent",
                JobRoutes.stored(() -> call.headgate().workflows().rewind(run, step, reason(call, body))));
    }

    /** The token and what it says, in one line. */
    private static String reason(Call call, JsonDocument body) {
        String by = "by token '%s'".formatted(call.bearer().name());
        String reason = body.textOrNull("reason");
        return reason == null || reason.isBlank() ? by : "%s: %s".formatted(by, reason.strip());
    }

    private static Response answer(Call call, RunId run, String expected, OperationResult result) {
        RunState state = call.headgate().workflows().status(run).state();
        check(run, expected, state, result);
        return Response.json(
                200,
                JsonWriter.object().put("id", run.value()).put("answer", result).put("state", state));
    }

    private static void check(RunId run, String expected, RunState state, OperationResult result) {
        if (result == OperationResult.WRONG_STATE) {
            throw new ProblemException(
                    Problem.WRONG_STATE,
                    "run %s: expected %s, found it %s; nothing was changed".formatted(run, expected, word(state)));
        }
    }

    private static String word(RunState state) {
        return state.name().toLowerCase(Locale.ROOT);
    }

    private static Response topUp(Call call) {
        JsonDocument body = call.body(Set.of("by", "resume", "reason"));
        RunStatus before = RunScope.run(call);
        RunId run = before.id();
        Map<Guardrail, Long> by = BudgetReader.read(body, "by");
        if (by.isEmpty()) {
            throw new ProblemException(
                    Problem.BAD_FIELD, "field 'by': expected figures such as {\"maxCostUnits\":100}, got none");
        }
        boolean isResumed = body.flag("resume");
        String reason = reason(call, body);
        Workflows workflows = call.headgate().workflows();
        by.forEach((guardrail, amount) -> check(
                run,
                "one under way",
                before.state(),
                JobRoutes.stored(() -> workflows.topUp(run, guardrail, amount, reason))));
        boolean goesOn = isResumed && workflows.resume(run, reason) == OperationResult.DONE;
        RunStatus after = workflows.status(run);
        return Response.json(
                200,
                JsonWriter.object()
                        .put("id", run.value())
                        .put("state", after.state())
                        .put("resumed", goesOn)
                        .put(
                                "budget",
                                after.budget().stream()
                                        .filter(line -> by.containsKey(line.guardrail()))
                                        .map(RunJson::budget)
                                        .toList()));
    }

    /** To an instance of a state machine it is an event, which may have a key of its own. */
    private static Response signal(Call call) {
        JsonDocument body = call.body(Set.of("name", "payload", "key"));
        RunId run = RunScope.run(call).id();
        String name = body.text("name");
        String json = body.raw("payload", "{}");
        String key = body.textOrNull("key");
        boolean isMachine = call.headgate().machines().isInstance(run);
        if (key != null && !isMachine) {
            throw new ProblemException(
                    Problem.BAD_FIELD,
                    "field 'key': expected none, because run %s is no instance of a state machine".formatted(run));
        }
        boolean isNew = JobRoutes.stored(() -> {
            if (isMachine) {
                return call.headgate().machines().sendJson(run, name, json, key);
            }
            call.headgate().workflows().signalJson(run, name, json);
            return true;
        });
        return Response.json(
                200,
                JsonWriter.object().put("id", run.value()).put("signal", name).put("new", isNew));
    }

    private static Response decide(Call call, boolean isApproved) {
        JsonDocument body = call.bodyOrNone(Set.of("name", "reason"));
        RunStatus run = RunScope.run(call);
        String asked = body.textOrNull("name");
        String name = asked == null ? run.position().awaits() : asked;
        if (name == null) {
            throw new ProblemException(
                    Problem.WRONG_STATE,
                    "run %s: expected one that waits for an approval, found it %s; name the approval"
                            .formatted(run.id(), word(run.state())));
        }
        String by = call.bearer().name();
        String reason = body.textOrNull("reason");
        String comment = reason == null ? "" : reason;
        Workflows workflows = call.headgate().workflows();
        JobRoutes.stored(() -> {
            if (isApproved) {
                workflows.approve(run.id(), name, by, comment);
            } else {
                workflows.reject(run.id(), name, by, comment);
            }
            return true;
        });
        return Response.json(
                200,
                JsonWriter.object()
                        .put("id", run.id().value())
                        .put("approval", name)
                        .put("choice", isApproved ? "approved" : "rejected")
                        .put("by", by));
    }
}
