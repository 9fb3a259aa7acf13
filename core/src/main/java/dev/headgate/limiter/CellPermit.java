package dev.headgate.limiter;

import dev.headgate.internal.admission.ReleaseKind;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/** A permit of a limiter that was one number when it was granted. */
final class CellPermit implements Permit {
    private static final int OPEN = 0;
    private static final int SETTLED = 1;
    private static final int CLOSED = 2;
    private static final AtomicIntegerFieldUpdater<CellPermit> PHASE =
            AtomicIntegerFieldUpdater.newUpdater(CellPermit.class, "phase");

    private final LocalLimiter limiter;
    private final LimitCell cell;
    private final long cost;
    private final long startedElapsed;
    private volatile int phase;
    private volatile boolean isRejected;

    CellPermit(LocalLimiter limiter, LimitCell cell, long cost, long startedElapsed) {
        this.limiter = limiter;
        this.cell = cell;
        this.cost = cost;
        this.startedElapsed = startedElapsed;
    }

    long cost() {
        return cost;
    }

    ReleaseKind how() {
        return isRejected ? ReleaseKind.REJECTED : ReleaseKind.OK;
    }

    @Override
    public boolean settle(long actualCost) {
        LocalLimiter.checkCost(actualCost);
        if (!PHASE.compareAndSet(this, OPEN, SETTLED)) {
            return false;
        }
        return !cell.isByCost() || limiter.guarded().settleFromCell(cost, actualCost, startedElapsed);
    }

    @Override
    public boolean pushedBack(@Nullable Duration retryAfter) {
        if (phase == CLOSED || !limiter.guarded().rejectFromCell(startedElapsed, retryAfter)) {
            return false;
        }
        isRejected = true;
        return true;
    }

    @Override
    public boolean renew() {
        return phase != CLOSED;
    }

    @Override
    public void close() {
        if (PHASE.getAndSet(this, CLOSED) != CLOSED) {
            cell.giveBack(this);
        }
    }
}
