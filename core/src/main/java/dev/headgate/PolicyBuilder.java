package dev.headgate;

import dev.headgate.admission.GateKey;
import dev.headgate.admission.GatePolicy;
import dev.headgate.admission.Limit;
import dev.headgate.admission.LimitText;
import dev.headgate.admission.Rate;
import dev.headgate.policy.PolicyEdit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The limits of one gate or queue; all of them must agree before a job starts. Limits come from the static methods of
 * {@link Limit}: {@code q.maxInFlight(20).limit(rate(100).per(ofMinutes(1)).burst(10))}.
 */
public final class PolicyBuilder {
    private final List<Limit> limits = new ArrayList<>();
    private final Faults faults = new Faults();
    private @Nullable Function<GatePolicy, PolicyEdit> override;

    PolicyBuilder() {}

    /** At most this many jobs run at once; the same as {@code limit(concurrency(jobs))}. */
    public PolicyBuilder maxInFlight(long jobs) {
        faults.collect(() -> limits.add(Limit.concurrency(jobs)));
        return this;
    }

    public PolicyBuilder limit(Limit limit) {
        limits.add(limit);
        return this;
    }

    /** Limits as commands and configuration write them: {@code concurrency 3; rate 20/1s burst 5}. */
    public PolicyBuilder limits(String text) {
        faults.collect(() -> limits.addAll(LimitText.parseAll(text)));
        return this;
    }

    /**
     * Makes this an override: these limits are in force from now until the instant, by the store's clock, and then what is
     * stored is back, exactly. An override conflicts with nothing, and a later one takes its place.
     */
    public PolicyBuilder until(Instant end) {
        JobOptions.checkInstant(faults, "until", end);
        override = policy -> new PolicyEdit.OverrideUntil(policy, end);
        return this;
    }

    /** Like {@link #until(Instant)}, for so long. */
    public PolicyBuilder until(Duration fromNow) {
        JobOptions.checkSpan(faults, "until", fromNow, false);
        override = policy -> new PolicyEdit.OverrideFor(policy, fromNow);
        return this;
    }

    PolicyEdit build(GateKey key, Function<GatePolicy, PolicyEdit> mode) {
        long kinds = limits.stream().map(PolicyBuilder::kind).distinct().count();
        faults.expect(
                kinds == limits.size(),
                () -> "expected at most one limit of each kind, and one rate of each period and unit, got "
                        + LimitText.text(limits));
        GatePolicy[] policy = {GatePolicy.OPEN};
        // A limit that cannot be read is one complaint, not also a missing one.
        if (faults.isEmpty()) {
            faults.expect(
                    !limits.isEmpty(), () -> "expected at least one limit; to lift all limits, remove the policy");
            faults.collect(() -> policy[0] = new GatePolicy(limits));
        }
        faults.throwIfAny("policy of " + key);
        return (override == null ? mode : override).apply(policy[0]);
    }

    /** Two limits of one kind would count in the same place, and the weaker of them says nothing. */
    private static Object kind(Limit limit) {
        return limit instanceof Rate rate ? List.of(rate.per(), rate.isByCost()) : limit.getClass();
    }
}
