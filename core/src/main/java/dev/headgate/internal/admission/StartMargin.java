package dev.headgate.internal.admission;

import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Margin;

/**
 * The one margin of a start that has to pass several limits, of its queue and all its gates. Each of them records the
 * start at the end of this margin, so that each holds whenever before that the call is made.
 *
 * <p>The smallest margin counts, with one exception: an automatic margin does not cut one that a user has set. It grows
 * instead, as long as two thirds of its limit remain. A later record is the stricter one, so this costs rate and
 * nothing else.
 */
public final class StartMargin {
    private long byHand = Margin.OPEN;
    private long chosen = Margin.OPEN;
    private long giving = Margin.OPEN;

    /**
     * The margin of a start that passes the limits of this policy and no others, in microseconds; 0 if no limit has one
     * that time ends.
     */
    public static long of(GatePolicy policy) {
        StartMargin margin = new StartMargin();
        policy.limits().forEach(limit -> margin.pass(limit, limit.marginMicros()));
        return margin.micros();
    }

    /**
     * Adds one limit to pass.
     *
     * @param margin its margin for the start: 0 if none, {@link Margin#OPEN} if time does not end it
     */
    public void pass(Limit limit, long margin) {
        if (margin == 0 || margin == Margin.OPEN) {
            return;
        }
        if (limit.margin().kind() == Margin.Kind.AUTO) {
            chosen = Math.min(chosen, margin);
            giving = Math.min(giving, Math.max(margin, limit.stretchedMicros()));
        } else {
            byHand = Math.min(byHand, margin);
        }
    }

    /** Adds all limits of one gate. */
    public StartMargin pass(GateLedger gate, long cost, long now) {
        if (gate.margin() > 0) {
            gate.meters.pass(this, gate.clock(now), cost);
        }
        return this;
    }

    /** In microseconds; 0 if none of them has a margin that time ends. */
    public long micros() {
        if (byHand == Margin.OPEN) {
            return chosen == Margin.OPEN ? 0 : chosen;
        }
        return Math.min(byHand, giving);
    }
}
