package dev.headgate.admission;

import java.time.Instant;

/**
 * Limits for a time: in force instead of what is stored under the same name, until an instant of store time.
 *
 * @param policy {@link GatePolicy#OPEN} lifts all limits meanwhile
 * @param until in microseconds; from that instant on the stored policy decides again
 */
public record PolicyOverride(GatePolicy policy, long until) {
    public PolicyOverride {
        if (!policy.traits().equals(Traits.NONE)) {
            throw new IllegalArgumentException(
                    "override: expected limits only, got '%s'; backlog, fair, weight and journal are changed to last"
                            .formatted(policy.text()));
        }
    }

    public Instant ends() {
        return Micros.instant(until);
    }
}
