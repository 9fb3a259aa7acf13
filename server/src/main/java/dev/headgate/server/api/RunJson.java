package dev.headgate.server.api;

import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.json.PairsText;
import dev.headgate.run.BudgetLine;
import dev.headgate.run.Guardrail;
import dev.headgate.run.RunBudget;
import dev.headgate.run.RunEvent;
import dev.headgate.run.RunStatus;
import dev.headgate.run.RunStatus.Children;
import dev.headgate.run.RunStatus.Work;
import dev.headgate.run.WorkflowDefinition;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Runs, their budgets and their definitions as JSON, for the HTTP API and the command line. */
public final class RunJson {
    private static final long MICROS_PER_MS = 1_000;
    private static final long LARGE = 1_000_000;

    private RunJson() {}

    /** With its data and all headers. */
    public static JsonWriter whole(RunStatus run) {
        return listed(run)
                .putJson("headers", PairsText.json(run.origin().attributes().headers()))
                .putJson("data", run.position().json());
    }

    /** Without the data: a list is read for other reasons, and by more people. */
    public static JsonWriter listed(RunStatus run) {
        return JsonWriter.object()
                .put("id", run.id().value())
                .put("workflow", run.origin().workflow())
                .put("version", run.origin().version())
                .put("state", run.state())
                .put("key", run.origin().key())
                .put("labels", run.origin().attributes().labels())
                .putRaw("headers", PairsText.shown(run.origin().attributes().headers()))
                .put(
                        "parent",
                        run.origin().parent() == null
                                ? null
                                : run.origin().parent().value())
                .put("name", run.origin().name())
                .put("place", run.origin().place())
                .put("step", run.position().step())
                .put("until", run.position().until())
                .put("awaits", run.position().awaits())
                .put(
                        "work",
                        run.position().work() == null
                                ? null
                                : work(run.position().work()))
                .put("detail", run.life().detail())
                .put(
                        "stoppedBy",
                        run.life().stoppedBy().stream()
                                .sorted()
                                .map(Guardrail::title)
                                .toList())
                .put("children", children(run.position().children()))
                .put("startedAt", run.life().startedAt())
                .put("endedAt", run.life().endedAt())
                .put("budget", run.budget().stream().map(RunJson::budget).toList());
    }

    /** How a job stands, or several in the same way. */
    public static JsonWriter work(Work work) {
        return JsonWriter.object()
                .put("job", work.job().value())
                .put("stand", work.stand())
                .put("where", work.where())
                .put("due", work.due())
                .put("jobs", work.jobs())
                .put("text", work.text());
    }

    private static @Nullable JsonWriter children(@Nullable Children children) {
        return children == null
                ? null
                : JsonWriter.object()
                        .put("total", children.total())
                        .put("created", children.created())
                        .put("succeeded", children.succeeded())
                        .put("failed", children.failed());
    }

    /** One line of a budget. */
    public static JsonWriter budget(BudgetLine line) {
        boolean isLimited = line.limit() != Long.MAX_VALUE;
        return JsonWriter.object()
                .put("guardrail", line.guardrail().title())
                .put("unit", unit(line.guardrail()))
                .put("limit", isLimited ? plain(line.guardrail(), line.limit()) : null)
                .put("used", plain(line.guardrail(), line.used()))
                .put("reserved", plain(line.guardrail(), line.reserved()))
                .put("left", isLimited ? plain(line.guardrail(), line.left()) : null)
                .put("percent", isLimited ? percent(line) : null)
                .put("warning", line.isHigh());
    }

    private static String unit(Guardrail guardrail) {
        return switch (guardrail) {
            case WALL_TIME -> "ms";
            case STATE_BYTES -> "bytes";
            default -> "count";
        };
    }

    private static long plain(Guardrail guardrail, long figure) {
        return guardrail == Guardrail.WALL_TIME ? figure / MICROS_PER_MS : figure;
    }

    /** How much of a limited guardrail is gone. */
    public static long percent(BudgetLine line) {
        long taken = line.used() + line.reserved();
        // Large limits are divided first, so that nothing overflows.
        return line.limit() < LARGE ? taken * 100 / line.limit() : taken / (line.limit() / 100);
    }

    /** A version of a workflow, or of a machine. */
    public static JsonWriter definition(WorkflowDefinition definition) {
        return JsonWriter.object()
                .put("workflow", definition.name())
                .put("version", definition.version())
                .put("queue", definition.queue())
                .put("budget", limits(definition.budget()))
                .put("steps", definition.steps())
                .put("since", definition.since());
    }

    /** Limits alone. */
    private static JsonWriter limits(RunBudget budget) {
        JsonWriter json = JsonWriter.object();
        new TreeMap<>(budget.limits())
                .forEach((guardrail, limit) -> json.put(guardrail.title(), plain(guardrail, limit)));
        return json;
    }

    /** Something that happened to a run, with the data that a step was entered with. */
    public static JsonWriter event(RunEvent event) {
        return happened(event).putJson("data", event.state());
    }

    /** The same without the data. */
    static JsonWriter happened(RunEvent event) {
        return JsonWriter.object()
                .put("part", event.part().value())
                .put("number", event.number())
                .put("at", event.at())
                .put("kind", event.kind())
                .put("step", event.step())
                .put("detail", event.detail());
    }
}
