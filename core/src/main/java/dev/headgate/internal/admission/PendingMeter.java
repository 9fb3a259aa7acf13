package dev.headgate.internal.admission;

import dev.headgate.limit.Limit;

/**
 * A limit whose starts are kept apart until they are recorded: the recorded part is one number, out of which no single
 * start can be taken.
 */
abstract sealed class PendingMeter extends TimedMeter permits RateMeter, SpacedMeter {
    PendingStarts pending = new PendingStarts();

    PendingMeter(Limit limit, boolean isByCost) {
        super(limit, isByCost);
    }

    /**
     * Gives back units of a start that was recorded at {@code latest}, but no more than if they had never been taken.
     */
    abstract void refund(long latest, long units, long clock);

    /** Whether nothing was ever recorded. */
    abstract boolean isUnused();

    /** Whether nothing of what is recorded counts any more. */
    abstract boolean isFree(long clock);

    @Override
    final boolean isAsNew(long clock) {
        PendingMeter then = (PendingMeter) copy();
        then.recordDue(clock);
        return then.pending.size() == 0 && then.isFree(clock);
    }

    @Override
    final void take(Start start, long cost) {
        if (pending.size() == 0 && isUnused()) {
            first = start.at();
        }
        recordDue(start.at());
        if (latest(start) > start.at() && !isOpen()) {
            pending.add(latest(start), unitsOf(cost));
        } else if (!isOpen()) {
            record(start.at(), unitsOf(cost));
        }
    }

    final void recordDue(long clock) {
        while (pending.size() > 0 && pending.at(0) <= clock) {
            long instant = pending.at(0);
            long units = pending.units(0);
            pending.removeFirst();
            record(instant, units);
        }
    }

    @Override
    final void ended(Start start, long cost, long clock) {
        if (isOpen()) {
            record(clock, unitsOf(cost));
        } else if (latest(start) > clock) {
            recordDue(clock);
            record(clock, pending.take(latest(start), unitsOf(cost)));
        }
    }

    @Override
    final void giveUp(Start start, long cost, long clock) {
        if (!isOpen()) {
            giveBack(start, unitsOf(cost), clock);
        }
    }

    private void giveBack(Start start, long units, long clock) {
        recordDue(clock);
        if (latest(start) > clock) {
            pending.take(latest(start), units);
        } else if (isCounted(start)) {
            refund(latest(start), units, clock);
        }
    }

    /** A debt belongs to its start while that is pending; later the whole debt is recorded now. */
    @Override
    final void settle(long charged, long actual, Start start, long clock) {
        if (!isByCost || actual == charged || isOpen()) {
            return;
        }
        if (actual < charged) {
            giveBack(start, charged - actual, clock);
            return;
        }
        recordDue(clock);
        long debt = Math.min(FAR / 8, actual - charged);
        if (pending.holds(latest(start))) {
            pending.add(latest(start), debt);
        } else {
            record(clock, debt);
        }
    }
}
