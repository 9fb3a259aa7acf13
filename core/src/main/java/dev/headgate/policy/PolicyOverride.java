package dev.headgate.policy;

import dev.headgate.internal.time.Micros;
import dev.headgate.limit.Budget;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import dev.headgate.limit.PolicyOptions;
import java.time.Instant;

/**
 * Limits for a time: in force instead of what is stored under the same name, until an instant of store time.
 *
 * @param policy {@link GatePolicy#OPEN} lifts all limits meanwhile
 * @param until in microseconds; from that instant on the stored policy decides again
 */
public record PolicyOverride(GatePolicy policy, long until) {
    /**
     * Says only that a queue is counted meanwhile, because it is held: what else is stored decides as if this were not there. A
     * limit that is only tried, so that older programs count the queue too.
     */
    public static final GatePolicy COUNTING = GatePolicy.OPEN.shadow(new Budget(Limit.COUNT_MAX));

    public PolicyOverride {
        if (!policy.options().equals(PolicyOptions.NONE)) {
            throw new IllegalArgumentException(
                    "override: expected limits only, got '%s'; backlog, fair, weight and journal are changed to last"
                            .formatted(policy.text()));
        }
    }

    /** Whether it decides anything at that time. */
    public boolean isInForce(long now) {
        return now < until && !policy.equals(COUNTING);
    }

    /** When it ends, in store time. */
    public Instant ends() {
        return Micros.instant(until);
    }
}
