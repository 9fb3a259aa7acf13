package dev.headgate.cli.policies;

import dev.headgate.cli.display.Table;
import dev.headgate.cli.display.Wording;
import dev.headgate.internal.admission.StartMargin;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.internal.time.Micros;
import dev.headgate.limit.Budget;
import dev.headgate.limit.Concurrency;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Spans;
import dev.headgate.server.api.GateJson;
import dev.headgate.server.api.MarginNotes;
import dev.headgate.status.Overview.GateView;
import dev.headgate.status.Overview.Lag;
import dev.headgate.status.Overview.Trial;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Gates, and queues seen as gates, as rows and as JSON. */
public final class GateRows {
    private static final String SHADOW = "shadow ";

    private final Map<GateKey, GatePolicy> policies;
    private final Instant now;

    public GateRows(Map<GateKey, GatePolicy> policies, Instant now) {
        this.policies = policies;
        this.now = now;
    }

    static String text(@Nullable GatePolicy policy) {
        return policy == null || policy.isOpen() ? "none" : policy.text();
    }

    public JsonWriter json(GateView gate) {
        return GateJson.of(gate, policies.keySet());
    }

    private static List<MarginNotes.Applied> margins(GateView gate) {
        return MarginNotes.of(GatePolicy.parse(gate.policy()));
    }

    /** The margin of every limit over time, and what it costs; empty if there is none. */
    static Optional<Table> marginTable(GateView gate) {
        List<MarginNotes.Applied> margins = margins(gate);
        Table table = new Table("LIMIT", "MARGIN", "COSTS");
        margins.forEach(margin -> table.row(margin.limit().text(), margin.text(), margin.cost()));
        return margins.isEmpty() ? Optional.empty() : Optional.of(table);
    }

    /** How long its starts took, and what the other side answered. */
    List<String> lagLines(GateView gate) {
        Lag lag = gate.lag();
        List<String> lines = new ArrayList<>();
        within("grant to handler", lag.toHandlerP50(), lag.toHandlerP99()).ifPresent(lines::add);
        within("grant to the end of the handler", lag.toEndP50(), lag.toEndP99())
                .ifPresent(lines::add);
        lines.add("late starts, given back and not run: %d".formatted(lag.lateStarts()));
        GatePolicy policy = GatePolicy.parse(gate.policy());
        Duration cut = lag.cutMargin();
        if (cut != null && cut.compareTo(Micros.duration(StartMargin.of(policy))) < 0) {
            lines.add("margin of the latest starts: %s, cut by another gate or the queue of their jobs"
                    .formatted(Spans.text(cut)));
        }
        Instant rejectedAt = lag.rejectedAt();
        if (rejectedAt != null) {
            lines.add("rejected at a full limit %s%s"
                    .formatted(Wording.from(now, rejectedAt), MarginAdvice.of(policy, lag)));
        }
        return lines;
    }

    private static Optional<String> within(String what, @Nullable Duration half, @Nullable Duration most) {
        return half == null || most == null
                ? Optional.empty()
                : Optional.of(
                        "%s: half within %s, 99 %% within %s".formatted(what, Spans.text(half), Spans.text(most)));
    }

    /** Late starts of each gate that has any: a start of two gates counts at both. */
    public static Optional<String> lateLine(List<GateView> gates) {
        String late = gates.stream()
                .filter(gate -> gate.lag().lateStarts() > 0)
                .map(gate -> "%s %d".formatted(gate.key(), gate.lag().lateStarts()))
                .collect(Collectors.joining(", "));
        return late.isEmpty() ? Optional.empty() : Optional.of("late starts, given back and not run: " + late);
    }

    public Table table(List<GateView> gates) {
        Table table = new Table("GATE", ">IN USE", ">UNITS", ">TOKENS", ">WAITING", "OPENS", "LIMITS");
        gates.forEach(gate -> table.row(cells(gate).toArray()));
        return table;
    }

    /** Name, places in use, units, tokens, jobs that wait, when it opens and its limits. */
    public List<String> cells(GateView gate) {
        return List.of(
                gate.key().toString(),
                inUse(gate),
                units(gate),
                tokens(gate),
                waiting(gate),
                opens(gate),
                limitsWithOrigin(gate));
    }

    private static String waiting(GateView gate) {
        return gate.line().jobs() + (gate.line().isMore() ? "+" : "");
    }

    /** Every limit of one gate with its present figures, shadow limits last. */
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
        String when = gate.opens() == null ? "-" : Wording.from(now, gate.opens());
        return gate.shut() == null ? when : gate.opens() == null ? gate.shut() : when + ": " + gate.shut();
    }

    private String limitsWithOrigin(GateView gate) {
        if (gate.policy().isEmpty()) {
            return "none";
        }
        String policy = withTrials(gate);
        if (gate.until() != null) {
            return "%s (override, ends %s)".formatted(policy, Wording.from(now, gate.until()));
        }
        return GateJson.cover(gate.key(), policies.keySet())
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
