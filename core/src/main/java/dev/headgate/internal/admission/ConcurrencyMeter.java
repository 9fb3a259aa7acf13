package dev.headgate.internal.admission;

import dev.headgate.internal.admission.InUse.KeptFree;
import dev.headgate.limit.Concurrency;
import dev.headgate.limit.Limit;

/** Limits the number of leases. The gate itself counts them, so this meter stores nothing. */
final class ConcurrencyMeter extends Meter {
    private final Concurrency limit;

    ConcurrencyMeter(Concurrency limit) {
        this.limit = limit;
    }

    @Override
    Limit limit() {
        return limit;
    }

    @Override
    long opens(long clock, long cost, InUse inUse, KeptFree reserved) {
        return inUse.leases + 1 + reserved.leases() <= limit.max() ? clock : UNTIL_RELEASE;
    }

    @Override
    long used(long clock, InUse inUse) {
        return inUse.leases;
    }

    @Override
    long most() {
        return limit.max();
    }

    @Override
    String figures(long clock, long cost, InUse inUse) {
        return inUse.leases + " of " + limit.max() + " in use";
    }

    @Override
    boolean isAsNew(long clock) {
        return true;
    }

    @Override
    Meter copy() {
        return this;
    }
}
