package dev.headgate.server.api;

import dev.headgate.internal.json.JsonWriter;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import dev.headgate.status.Overview.GateView;
import dev.headgate.status.Overview.Lag;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Gates, and queues seen as gates, as JSON, for the HTTP API and the command line. */
public final class GateJson {
    private GateJson() {}

    /** The stored policy that applies to a gate: its own, else that of the longest pattern. */
    public static Optional<GateKey> cover(GateKey gate, Collection<GateKey> policies) {
        return policies.stream()
                .filter(stored -> stored.covers(gate))
                .max(Comparator.comparing((GateKey stored) -> stored.equals(gate))
                        .thenComparingInt(stored -> stored.name().length()));
    }

    static List<String> limits(@Nullable GatePolicy policy) {
        return policy == null
                ? List.of()
                : policy.limits().stream().map(Limit::text).toList();
    }

    /** A pattern with its limits. */
    public static JsonWriter pattern(GateKey pattern, @Nullable GatePolicy policy) {
        return JsonWriter.object()
                .put("kind", pattern.scope().text())
                .put("pattern", pattern.name())
                .put("limits", limits(policy))
                .put("text", policy == null ? "" : policy.text());
    }

    /** One gate or queue with its figures. */
    public static JsonWriter of(GateView gate, Collection<GateKey> policies) {
        return JsonWriter.object()
                .put("kind", gate.key().scope().text())
                .put("name", gate.key().name())
                .put("limits", limits(GatePolicy.parse(gate.policy())))
                .put("text", gate.policy())
                .put("policy", cover(gate.key(), policies).map(GateKey::name).orElse(null))
                .put("overrideUntil", gate.until())
                .put("inUse", gate.leases())
                .put("units", gate.units())
                .put(
                        "buckets",
                        gate.tokens().stream()
                                .map(bucket -> JsonWriter.object()
                                        .put("limit", bucket.limit())
                                        .put("tokens", bucket.now())
                                        .put("burst", bucket.burst()))
                                .toList())
                .put(
                        "readings",
                        gate.readings().stream()
                                .map(reading -> JsonWriter.object()
                                        .put("limit", reading.limit())
                                        .put("now", reading.now())
                                        .put("used", reading.used())
                                        .put("most", reading.most()))
                                .toList())
                .put(
                        "shadows",
                        gate.trials().stream()
                                .map(trial -> JsonWriter.object()
                                        .put("limit", trial.limit())
                                        .put("wouldHaveBlocked", trial.wouldHaveBlocked()))
                                .toList())
                .put("margins", margins(gate).stream().map(GateJson::json).toList())
                .put("lag", json(gate.lag()))
                .put("lateStarts", gate.lag().lateStarts())
                .put("cutMarginMs", upMillis(gate.lag().cutMargin()))
                .put("rejectedAt", gate.lag().rejectedAt())
                .put("rejectedLagMs", upMillis(gate.lag().rejectedLag()))
                .put("rejectedMarginMs", upMillis(gate.lag().rejectedMargin()))
                .put("advisedMarginMs", upMillis(gate.lag().advisedMargin()))
                .put("waiting", gate.line().jobs())
                .put("waitingAtLeast", gate.line().isMore())
                .put("lanesWaiting", gate.line().lanes())
                .put("opensAt", gate.opens())
                .put("shut", gate.shut());
    }

    private static List<MarginNotes.Applied> margins(GateView gate) {
        return MarginNotes.of(GatePolicy.parse(gate.policy()));
    }

    private static JsonWriter json(MarginNotes.Applied margin) {
        Double cost = margin.costPercent();
        return JsonWriter.object()
                .put("limit", margin.limit().text())
                .put("margin", margin.limit().margin().text())
                .put("marginMs", upMillis(margin.span()))
                .put("untilEnd", margin.isUntilEnd())
                .put(
                        "costPercent",
                        cost == null ? null : BigDecimal.valueOf(cost).setScale(2, RoundingMode.HALF_UP));
    }

    private static JsonWriter json(Lag lag) {
        return JsonWriter.object()
                .put("toHandlerP50Ms", upMillis(lag.toHandlerP50()))
                .put("toHandlerP99Ms", upMillis(lag.toHandlerP99()))
                .put("toEndP50Ms", upMillis(lag.toEndP50()))
                .put("toEndP99Ms", upMillis(lag.toEndP99()));
    }

    /** Rounded up, so that an upper bound stays one. */
    private static @Nullable Long upMillis(@Nullable Duration span) {
        return span == null ? null : Math.ceilDiv(span.toNanos(), 1_000_000L);
    }
}
