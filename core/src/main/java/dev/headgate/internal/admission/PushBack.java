package dev.headgate.internal.admission;

import dev.headgate.limit.Hold;
import org.jspecify.annotations.Nullable;

/** A push-back that an operator tells of, in the name of no job. */
public final class PushBack {
    private PushBack() {}

    /**
     * What lies behind the gate pushed back. While it is held nothing starts, so what pushed back had started before and counts as the
     * same rejection.
     */
    public static void tell(GateLedger gate, @Nullable Long retryAfter, int jitter, String reason, long now) {
        long clock = gate.clock(now);
        Hold hold = gate.closure.hold;
        long startedAt = hold != null && clock < hold.until() ? hold.since() : clock;
        if (gate.closure.reject(gate.policy().backOff(), startedAt, retryAfter, jitter, reason, clock)) {
            gate.meters.shrink();
        }
        gate.touched = true;
    }
}
