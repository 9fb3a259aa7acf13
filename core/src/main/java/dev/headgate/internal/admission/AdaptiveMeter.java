package dev.headgate.internal.admission;

import dev.headgate.internal.admission.InUse.KeptFree;
import dev.headgate.limit.Adaptive;
import dev.headgate.limit.Limit;

/** Additive increase, multiplicative decrease; the value is kept in millionths. */
final class AdaptiveMeter extends Meter {
    private static final long SCALE = 1_000_000;

    private final Adaptive limit;
    private long value;

    AdaptiveMeter(Adaptive limit) {
        this.limit = limit;
        this.value = limit.min() * SCALE;
    }

    @Override
    Limit limit() {
        return limit;
    }

    private long current() {
        return value / SCALE;
    }

    @Override
    long opens(long clock, long cost, InUse inUse, KeptFree reserved) {
        return inUse.leases + 1 + reserved.leases() <= current() ? clock : UNTIL_RELEASE;
    }

    @Override
    long used(long clock, InUse inUse) {
        return inUse.leases;
    }

    @Override
    long most() {
        return current();
    }

    @Override
    String figures(long clock, long cost, InUse inUse) {
        return inUse.leases + " of " + current() + " in use, between " + limit.min() + " and " + limit.max();
    }

    /** The value grows by one after as many successes as the value is now. */
    @Override
    void grow() {
        value = Math.min(limit.max() * SCALE, value + SCALE * SCALE / value);
    }

    @Override
    void shrink() {
        value = Math.max(limit.min() * SCALE, value / 2);
    }

    @Override
    void exhaust(long clock) {
        value = limit.min() * SCALE;
    }

    @Override
    void remember(String memory, long seen) {
        value = Math.clamp(Long.parseLong(memory), limit.min() * SCALE, limit.max() * SCALE);
    }

    @Override
    String memory(long seen) {
        return Long.toString(value);
    }

    @Override
    boolean isAsNew(long clock) {
        return value == limit.min() * SCALE;
    }

    @Override
    Meter copy() {
        AdaptiveMeter copy = new AdaptiveMeter(limit);
        copy.value = value;
        return copy;
    }
}
