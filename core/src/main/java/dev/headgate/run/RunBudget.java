package dev.headgate.run;

import dev.headgate.internal.time.Micros;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/**
 * What a run may spend, its children included: {@code RunBudget.STANDARD.maxCostUnits(500).maxWallTime(ofHours(1))}. It is
 * prepaid: the transaction that creates work charges it, and work it does not cover is not created. Reaching a limit is
 * fine, exceeding it is not. Immutable.
 */
public record RunBudget(Map<Guardrail, Long> limits) {
    /** Wide limits for all guardrails; wall time is not limited. */
    public static final RunBudget STANDARD = new RunBudget(Map.of());

    public RunBudget {
        limits = Map.copyOf(limits);
        limits.forEach(RunBudget::check);
    }

    private static void check(Guardrail guardrail, long limit) {
        if (limit < 1 || limit > guardrail.most()) {
            throw new IllegalArgumentException(
                    guardrail == Guardrail.WALL_TIME
                            ? "budget: expected %s of more than zero, got %s"
                                    .formatted(guardrail.title(), guardrail.text(limit))
                            : "budget: expected %s of 1 to %d, got %d"
                                    .formatted(guardrail.title(), guardrail.most(), limit));
        }
    }

    /** The most entries into steps, sleeps and waits. Default: 100,000. */
    public RunBudget maxTransitions(long limit) {
        return with(Guardrail.TRANSITIONS, limit);
    }

    /** The most units of cost, all attempts of all steps together. Default: 1,000,000,000. */
    public RunBudget maxCostUnits(long limit) {
        return with(Guardrail.COST_UNITS, limit);
    }

    /** The most attempts of all steps together, the first of each included. Default: 1,000,000. */
    public RunBudget maxAttempts(long limit) {
        return with(Guardrail.ATTEMPTS, limit);
    }

    /** The most items and branches of all fan-outs together. Default: 10,000. */
    public RunBudget maxFanOutItems(long limit) {
        return with(Guardrail.FAN_OUT_ITEMS, limit);
    }

    /** The most bytes of JSON in any one state, up to 240 KiB. Default: 128 KiB. */
    public RunBudget maxStateBytes(long limit) {
        return with(Guardrail.STATE_BYTES, limit);
    }

    /** The most child runs, theirs included. Default: 1,000. */
    public RunBudget maxChildRuns(long limit) {
        return with(Guardrail.CHILD_RUNS, limit);
    }

    /** How deep child runs may have child runs. Default: 16. */
    public RunBudget maxDepth(long limit) {
        return with(Guardrail.DEPTH, limit);
    }

    /** The longest time from the start of the run to its end. Default: no limit. */
    public RunBudget maxWallTime(Duration limit) {
        return with(Guardrail.WALL_TIME, Micros.of(limit));
    }

    /** The same budget with another limit, in the unit of the guardrail. */
    public RunBudget with(Guardrail guardrail, long limit) {
        Map<Guardrail, Long> changed = new EnumMap<>(Guardrail.class);
        changed.putAll(limits);
        changed.put(guardrail, limit);
        return new RunBudget(changed);
    }

    /** The limit of this guardrail; {@link Long#MAX_VALUE} if there is none. */
    public long limit(Guardrail guardrail) {
        return limits.getOrDefault(guardrail, guardrail.standard());
    }
}
