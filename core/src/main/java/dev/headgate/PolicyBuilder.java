package dev.headgate;

import dev.headgate.admission.GateKey;
import dev.headgate.admission.GatePolicy;
import dev.headgate.admission.Limit;
import dev.headgate.admission.LimitText;
import dev.headgate.admission.Rate;
import java.util.ArrayList;
import java.util.List;

/**
 * The limits of one gate or queue; all of them must agree before a job starts. Limits come from the static methods of
 * {@link Limit}: {@code q.maxInFlight(20).limit(rate(100).per(ofMinutes(1)).burst(10))}.
 */
public final class PolicyBuilder {
    private final List<Limit> limits = new ArrayList<>();
    private final Faults faults = new Faults();

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

    GatePolicy build(GateKey key) {
        long kinds = limits.stream().map(PolicyBuilder::kind).distinct().count();
        faults.expect(
                kinds == limits.size(),
                () -> "expected at most one limit of each kind, and one rate of each period and unit, got "
                        + LimitText.text(limits));
        faults.expect(!limits.isEmpty(), () -> "expected at least one limit; to lift all limits, remove the policy");
        GatePolicy[] policy = {GatePolicy.OPEN};
        faults.collect(() -> policy[0] = new GatePolicy(limits));
        faults.throwIfAny("policy of " + key);
        return policy[0];
    }

    /** Two limits of one kind would count in the same place, and the weaker of them says nothing. */
    private static Object kind(Limit limit) {
        return limit instanceof Rate rate ? List.of(rate.per(), rate.isByCost()) : limit.getClass();
    }
}
