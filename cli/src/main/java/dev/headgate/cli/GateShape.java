package dev.headgate.cli;

import dev.headgate.admission.Budget;
import dev.headgate.admission.Concurrency;
import dev.headgate.admission.GateKey;
import dev.headgate.admission.GatePolicy;
import dev.headgate.admission.Limit;
import dev.headgate.admission.PolicyBook;
import dev.headgate.cli.text.Json;
import dev.headgate.cli.text.Spoken;
import dev.headgate.cli.text.Table;
import dev.headgate.transition.Overview.GateView;
import dev.headgate.transition.Overview.Trial;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Gates, and queues seen as gates, as rows and as JSON. */
final class GateShape {
    private static final String SHADOW = "shadow ";

    private final Map<GateKey, GatePolicy> policies;
    private final Instant now;

    GateShape(Map<GateKey, GatePolicy> policies, Instant now) {
        this.policies = policies;
        this.now = now;
    }

    /** The stored policy that applies to a gate: its own, else that of the longest pattern. */
    static Optional<GateKey> cover(GateKey gate, Collection<GateKey> policies) {
        return policies.stream()
                .filter(stored -> PolicyBook.covers(stored, gate))
                .max(Comparator.comparing((GateKey stored) -> stored.equals(gate))
                        .thenComparingInt(stored -> stored.name().length()));
    }

    static List<String> limits(@Nullable GatePolicy policy) {
        return policy == null
                ? List.of()
                : policy.limits().stream().map(Limit::text).toList();
    }

    static String text(@Nullable GatePolicy policy) {
        return policy == null || policy.isOpen() ? "none" : policy.text();
    }

    static Json pattern(GateKey pattern, @Nullable GatePolicy policy) {
        return Json.object()
                .put("kind", pattern.scope().text())
                .put("pattern", pattern.name())
                .put("limits", limits(policy))
                .put("text", policy == null ? "" : policy.text());
    }

    Json json(GateView gate) {
        return Json.object()
                .put("kind", gate.key().scope().text())
                .put("name", gate.key().name())
                .put("limits", limits(gate).stream().map(Limit::text).toList())
                .put("text", gate.policy())
                .put(
                        "policy",
                        cover(gate.key(), policies.keySet()).map(GateKey::name).orElse(null))
                .put("overrideUntil", gate.until())
                .put("inUse", gate.leases())
                .put("units", gate.units())
                .put(
                        "buckets",
                        gate.tokens().stream()
                                .map(bucket -> Json.object()
                                        .put("limit", bucket.limit())
                                        .put("tokens", bucket.now())
                                        .put("burst", bucket.burst()))
                                .toList())
                .put(
                        "readings",
                        gate.readings().stream()
                                .map(reading -> Json.object()
                                        .put("limit", reading.limit())
                                        .put("now", reading.now()))
                                .toList())
                .put(
                        "shadows",
                        gate.trials().stream()
                                .map(trial -> Json.object()
                                        .put("limit", trial.limit())
                                        .put("wouldHaveBlocked", trial.wouldHaveBlocked()))
                                .toList())
                .put("lanesWaiting", gate.waiters())
                .put("opensAt", gate.opens())
                .put("shut", gate.shut());
    }

    Table table(List<GateView> gates) {
        Table table = new Table("GATE", ">IN USE", ">UNITS", ">TOKENS", ">LANES WAITING", "OPENS", "LIMITS");
        gates.forEach(gate -> table.row(
                gate.key(),
                inUse(gate),
                units(gate),
                tokens(gate),
                gate.waiters(),
                opens(gate),
                limitsWithOrigin(gate)));
        return table;
    }

    /** Every limit of one gate with where it stands now, tried ones last. */
    static Table readings(GateView gate) {
        Table table = new Table("LIMIT", "NOW");
        gate.readings().forEach(reading -> table.row(reading.limit(), reading.now()));
        gate.trials().forEach(trial -> table.row(SHADOW + trial.limit(), wouldHaveBlocked(trial)));
        return table;
    }

    private static String wouldHaveBlocked(Trial trial) {
        return "would have blocked %d starts".formatted(trial.wouldHaveBlocked());
    }

    private static List<Limit> limits(GateView gate) {
        return GatePolicy.parse(gate.policy()).limits();
    }

    static String inUse(GateView gate) {
        return limits(gate).stream()
                .filter(Concurrency.class::isInstance)
                .map(limit -> "%d of %d".formatted(gate.leases(), ((Concurrency) limit).max()))
                .findFirst()
                .orElse(Long.toString(gate.leases()));
    }

    private static String units(GateView gate) {
        return limits(gate).stream()
                .filter(Budget.class::isInstance)
                .map(limit -> "%d of %d".formatted(gate.units(), ((Budget) limit).units()))
                .findFirst()
                .orElse(Long.toString(gate.units()));
    }

    static String tokens(GateView gate) {
        return gate.tokens().isEmpty()
                ? "-"
                : String.join(
                        ", ",
                        gate.tokens().stream()
                                .map(bucket -> "%d of %d".formatted(bucket.now(), bucket.burst()))
                                .toList());
    }

    private String opens(GateView gate) {
        String when = gate.opens() == null ? "-" : Spoken.from(now, gate.opens());
        return gate.shut() == null ? when : gate.opens() == null ? gate.shut() : when + ": " + gate.shut();
    }

    private String limitsWithOrigin(GateView gate) {
        if (gate.policy().isEmpty()) {
            return "none";
        }
        String policy = withTrials(gate);
        if (gate.until() != null) {
            return "%s (override, ends %s)".formatted(policy, Spoken.from(now, gate.until()));
        }
        return cover(gate.key(), policies.keySet())
                .filter(stored -> !stored.equals(gate.key()))
                .map(stored -> "%s (by %s)".formatted(policy, stored.name()))
                .orElse(policy);
    }

    private static String withTrials(GateView gate) {
        Map<String, Trial> trials =
                gate.trials().stream().collect(Collectors.toMap(trial -> SHADOW + trial.limit(), Function.identity()));
        return Arrays.stream(gate.policy().split("; ", -1))
                .map(part ->
                        trials.containsKey(part) ? "%s (%s)".formatted(part, wouldHaveBlocked(trials.get(part))) : part)
                .collect(Collectors.joining("; "));
    }
}
