package dev.headgate.internal.admission;

import dev.headgate.internal.admission.InUse.KeptFree;
import dev.headgate.limit.Budget;
import dev.headgate.limit.Limit;

/** Limits the units in leases. The gate itself counts them, so this meter stores nothing. */
final class BudgetMeter extends Meter {
    private final Budget limit;

    BudgetMeter(Budget limit) {
        this.limit = limit;
    }

    @Override
    Limit limit() {
        return limit;
    }

    @Override
    long opens(long clock, long cost, InUse inUse, KeptFree reserved) {
        if (cost == 0) {
            return clock;
        }
        if (cost > limit.units()) {
            return NEVER;
        }
        return inUse.units + cost + reserved.units() <= limit.units() ? clock : UNTIL_RELEASE;
    }

    @Override
    long used(long clock, InUse inUse) {
        return inUse.units;
    }

    @Override
    long most() {
        return limit.units();
    }

    @Override
    String figures(long clock, long cost, InUse inUse) {
        String used = inUse.units + " of " + limit.units() + " units in use";
        return cost == 0 ? used : used + ", " + cost + " asked";
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
