package dev.headgate.server.api;

import dev.headgate.explain.Decision;
import dev.headgate.explain.Explanation;
import dev.headgate.explain.Explanation.Forecast;
import dev.headgate.explain.Explanation.GateAnswer;
import dev.headgate.explain.Explanation.SharePlace;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.json.PairsText;
import dev.headgate.job.Attempt;
import dev.headgate.job.Dependency;
import dev.headgate.job.JobStatus;
import dev.headgate.job.LogLine;
import dev.headgate.server.token.Right;
import dev.headgate.server.token.Token;
import org.jspecify.annotations.Nullable;

/** Jobs as JSON, for the HTTP API and the command line. */
public final class JobJson {
    private JobJson() {}

    /** What this token may see of it. */
    static JsonWriter seenBy(Token token, JobStatus job) {
        return token.has(Right.PAYLOADS) ? whole(job) : listed(job);
    }

    /** With payload and result, byte for byte as they are stored, and all headers. */
    private static JsonWriter whole(JobStatus job) {
        return listed(job)
                .putRaw("headers", PairsText.json(job.headers()))
                .putRaw("payload", job.spec().payload())
                .putRaw("result", job.report().result());
    }

    /** Without payload, result and secret headers: they may only be seen with a right of their own. */
    public static JsonWriter listed(JobStatus job) {
        JobStatus.Progress progress = job.report().progress();
        return JsonWriter.object()
                .put("id", job.id().value())
                .put("type", job.type())
                .put("queue", job.queue())
                .put("gates", job.gates())
                .put("state", job.state())
                .put("waitingAt", job.waitingAt())
                .put("cost", job.spec().cost().units())
                .put("costAt", job.spec().cost().byGate())
                .put("priority", job.spec().order().priority())
                .put("front", job.spec().order().isFront())
                .put("keepPlace", job.spec().order().keepsPlace())
                .put("dedup", job.spec().dedup().key())
                .put("labels", job.labels())
                .putRaw("headers", PairsText.shown(job.headers()))
                .put("attempt", job.leases().attempt())
                .put("attemptsMax", job.spec().tries().attemptsMax())
                .put("lost", job.leases().lost())
                .put("epoch", job.leases().epoch())
                .put("worker", job.leases().worker())
                .put("enqueuedAt", job.times().enqueuedAt())
                .put("readySince", job.times().readySince())
                .put("startedAt", job.times().startedAt())
                .put("finishedAt", job.times().finishedAt())
                .put("timeoutMs", job.spec().tries().timeout())
                .put("deadline", job.spec().tries().deadline())
                .put("retry", job.spec().tries().retry())
                .put("detail", job.report().detail())
                .put(
                        "progress",
                        progress == null
                                ? null
                                : JsonWriter.object()
                                        .put("percent", progress.percent())
                                        .put("message", progress.message()));
    }

    /** An attempt that did not succeed. */
    public static JsonWriter attempt(Attempt attempt) {
        return JsonWriter.object()
                .put("number", attempt.number())
                .put("epoch", attempt.epoch())
                .put("worker", attempt.worker())
                .put("startedAt", attempt.startedAt())
                .put("endedAt", attempt.endedAt())
                .put("outcome", attempt.outcome())
                .put("error", attempt.error());
    }

    /** A line that a handler logged. */
    public static JsonWriter line(LogLine line) {
        return JsonWriter.object()
                .put("at", line.at())
                .put("epoch", line.epoch())
                .put("text", line.text());
    }

    /** A job that another one waits for. */
    public static JsonWriter dependency(Dependency dependency) {
        return JsonWriter.object()
                .put("id", dependency.job().value())
                .put("child", dependency.isChild())
                .put("unmet", dependency.unmet())
                .put("state", dependency.state())
                .put("open", dependency.isOpen());
    }

    /** Why a job is where it is. */
    public static JsonWriter explanation(Explanation why) {
        return JsonWriter.object()
                .put("id", why.job().value())
                .put("state", why.state())
                .put("summary", why.summary())
                .put("at", why.times().at())
                .put("since", why.times().since())
                .put("waitedMs", why.times().waited())
                .put("ahead", why.place().ahead())
                .put("earliest", why.times().earliest())
                .put("expected", forecast(why.times().forecast()))
                .put(
                        "waits",
                        why.past().waits().stream()
                                .map(wait -> JsonWriter.object()
                                        .put("where", wait.where())
                                        .put("ms", wait.span()))
                                .toList())
                .put("gates", why.place().gates().stream().map(JobJson::gate).toList());
    }

    private static @Nullable JsonWriter forecast(@Nullable Forecast forecast) {
        return forecast == null
                ? null
                : JsonWriter.object()
                        .put("from", forecast.from())
                        .put("to", forecast.to())
                        .put("basis", forecast.basis());
    }

    private static JsonWriter gate(GateAnswer gate) {
        SharePlace share = gate.line().share();
        JsonWriter json = JsonWriter.object()
                .put("kind", gate.gate().scope().text())
                .put("name", gate.gate().name())
                .put("limits", gate.policy().text())
                .put("overrideUntil", gate.until())
                .put("inUse", gate.use().leases())
                .put("inLine", gate.line().isIn())
                .put("lanesBefore", gate.line().lanesBefore())
                .put("share", share == null ? null : share.key())
                .put("sharesBefore", share == null ? null : share.sharesBefore())
                .put(
                        "holders",
                        gate.use().holders().stream()
                                .map(holder -> JsonWriter.object()
                                        .put("id", holder.job().value())
                                        .put("type", holder.type())
                                        .put("worker", holder.worker())
                                        .put("since", holder.since()))
                                .toList());
        return switch (gate.decision()) {
            case Decision.Admitted open -> decision(json, "open", null, null).put("opensAt", null);
            case Decision.Blocked blocked ->
                decision(
                                json,
                                "blocked",
                                blocked.cause().rule(),
                                blocked.cause().figures())
                        .put("opensAt", blocked.next());
            case Decision.NeverFits never ->
                decision(json, "never", never.limit().text(), never.reason()).put("opensAt", null);
        };
    }

    private static JsonWriter decision(
            JsonWriter json, String answer, @Nullable String rule, @Nullable String figures) {
        return json.put("answer", answer).put("rule", rule).put("figures", figures);
    }
}
