package dev.headgate.internal.admission;

import dev.headgate.explain.Decision;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Limit;
import dev.headgate.limit.Rate;
import org.jspecify.annotations.Nullable;

/** The figures of a gate at one instant, for people. Decides nothing. */
public final class GateFigures {
    private final GateKey key;
    private final Meters meters;
    private final GateClosure closure;
    private final InUse inUse;
    private final StartLags lags;
    private final long clock;

    GateFigures(GateKey key, Meters meters, GateClosure closure, InUse inUse, StartLags lags, long clock) {
        this.key = key;
        this.meters = meters;
        this.closure = closure;
        this.inUse = inUse;
        this.lags = lags;
        this.clock = clock;
    }

    /** Whole tokens in the bucket of one of the gate's rates. */
    public long tokens(Rate rate) {
        return meters.of(rate) instanceof RateMeter bucket ? bucket.tokens(clock) : 0;
    }

    /** The figures of one of the gate's limits, such as {@code 12 of 50 in the last 1m}. */
    public String of(Limit limit) {
        Meter meter = meters.of(limit);
        return meter == null ? "" : meter.figures(clock, 0, inUse);
    }

    /** What counts against a limit of the gate now, in the unit of {@link #most}. */
    public long used(Limit limit) {
        Meter meter = meters.of(limit);
        return meter == null ? 0 : meter.used(clock, inUse);
    }

    /** What a limit of the gate gives while nothing is used. */
    public long most(Limit limit) {
        Meter meter = meters.of(limit);
        return meter == null ? 0 : meter.most();
    }

    /**
     * Why nothing passes whatever the limits say: paused, held, or a probe is running; absent if the gate is not
     * closed.
     */
    public @Nullable String shut() {
        Decision.Blocked blocked = closure.blocks(key, clock);
        return blocked == null ? null : blocked.cause().figures();
    }

    /** How many starts this shadow limit would have blocked since it was set. */
    public long blockedBy(Limit shadow) {
        return meters.blockedBy(shadow);
    }

    /** How long starts take from the grant to the handler, and to the handler's end. */
    public StartLags lags() {
        return lags;
    }
}
