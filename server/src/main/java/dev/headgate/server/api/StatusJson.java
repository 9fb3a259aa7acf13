package dev.headgate.server.api;

import dev.headgate.Controls.Paused;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.TypeDefaults;
import dev.headgate.limit.TypePolicy;
import dev.headgate.resource.TypeFigures;
import dev.headgate.resource.TypeFigures.Memory;
import dev.headgate.status.LongWait;
import dev.headgate.status.Overview;
import dev.headgate.status.QueueBacklog;
import dev.headgate.status.Totals;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** What a store holds at a glance as JSON, for the HTTP API and the command line. */
public final class StatusJson {
    private StatusJson() {}

    /** Everything in brief. */
    public static JsonWriter status(String store, Overview overview, Totals totals, Collection<GateKey> policies) {
        return JsonWriter.object()
                .put("store", store)
                .put("at", overview.at())
                .put("policyVersion", overview.policyVersion())
                .put("queues", new QueueFigures(overview, totals.oldest()).json())
                .putAll(counted(totals))
                .put(
                        "gates",
                        overview.gates().stream()
                                .map(gate -> GateJson.of(gate, policies))
                                .toList())
                .put("workers", WorkerJson.all(overview.workers()));
    }

    /** What is kept, and how long the queues have waited. */
    static JsonWriter totals(Totals totals) {
        return counted(totals)
                .put(
                        "oldest",
                        totals.oldest().stream()
                                .map(oldest -> JsonWriter.object()
                                        .put("queue", oldest.queue())
                                        .put("since", oldest.since())
                                        .put("atLeast", oldest.isAtLeast()))
                                .toList());
    }

    private static JsonWriter counted(Totals totals) {
        return JsonWriter.object()
                .put("runs", totals.runs().count())
                .put("results", totals.results().count())
                .put("artifacts", totals.artifacts().count())
                .put("atLeast", atLeast(totals));
    }

    /** Which of these figures may be higher. */
    private static List<String> atLeast(Totals totals) {
        List<String> rough = new ArrayList<>();
        if (totals.runs().isMore()) {
            rough.add("runs");
        }
        if (totals.results().isMore()) {
            rough.add("results");
        }
        if (totals.artifacts().isMore()) {
            rough.add("artifacts");
        }
        return rough;
    }

    /** What is paused. */
    public static List<JsonWriter> paused(List<Paused> paused) {
        return paused.stream()
                .map(each -> JsonWriter.object()
                        .put("kind", each.what().kind().text())
                        .put("name", each.what().name())
                        .put("since", each.since())
                        .put("author", each.author())
                        .put("reason", each.reason()))
                .toList();
    }

    /** A job that waits. */
    public static JsonWriter wait(LongWait wait, Instant now) {
        Instant since = wait.job().times().readySince();
        GateKey at = wait.at();
        return JsonWriter.object()
                .put("id", wait.job().id().value())
                .put("type", wait.job().type())
                .put("queue", wait.job().queue())
                .put("gates", wait.job().gates())
                .put("since", since)
                .put("waitedMs", Duration.between(since, now))
                .put(
                        "at",
                        at == null
                                ? null
                                : JsonWriter.object()
                                        .put("kind", at.scope().text())
                                        .put("name", at.name()));
    }

    /** What there is to do, queue by queue. */
    public static JsonWriter backlog(List<QueueBacklog> backlogs) {
        return JsonWriter.object()
                .put(
                        "admissible",
                        backlogs.stream().mapToLong(QueueBacklog::admissible).sum())
                .put("isMore", backlogs.stream().anyMatch(QueueBacklog::isMore))
                .put("queues", backlogs.stream().map(StatusJson::backlog).toList());
    }

    private static JsonWriter backlog(QueueBacklog backlog) {
        return JsonWriter.object()
                .put("name", backlog.queue())
                .put("admissible", backlog.admissible())
                .put("isMore", backlog.isMore())
                .put("blocked", backlog.blocked())
                .put("unjudged", backlog.unjudged())
                .put("paused", backlog.paused())
                .put("scheduled", backlog.scheduled())
                .put("awaiting", backlog.awaiting())
                .put("parked", backlog.parked())
                .put("running", backlog.running())
                .put("isAtLeast", backlog.isAtLeast());
    }

    /** A job type: what its jobs need and took, and what holds for them. */
    public static JsonWriter type(TypeFigures figures, TypePolicy policy) {
        Memory memory = figures.memory();
        TypeDefaults defaults = policy.defaults();
        return JsonWriter.object()
                .put("type", figures.type())
                .put(
                        "needs",
                        figures.needs().isNothing() ? null : figures.needs().text())
                .put("expectedMillis", figures.expected())
                .put("runs", figures.runs())
                .put("timeMillis", figures.time())
                .put("memoryBytes", memory == null ? null : memory.bytes())
                .put("measuredRuns", memory == null ? 0 : memory.runs())
                .put("requires", policy.requires())
                .put("defaults", defaults == null ? null : defaults.text());
    }
}
