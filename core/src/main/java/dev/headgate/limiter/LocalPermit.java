package dev.headgate.limiter;

import dev.headgate.internal.admission.ReleaseKind;
import dev.headgate.internal.admission.Start;
import dev.headgate.limit.Hold;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A permit of one or several limiters of this process. */
final class LocalPermit implements Permit {
    private final Part[] parts;
    private final Part asked;
    private long cost;
    private boolean isSettled;
    private boolean isRejected;
    private boolean isClosed;

    /** What it holds of one of them. */
    record Part(GuardedLimiter limiter, long generation, long id, long startedAt, CustomLimit.@Nullable Taken taken) {}

    /** @param asked which of them was asked, and is the one that a rejection shuts */
    LocalPermit(Part[] parts, int asked, long cost) {
        this.parts = parts;
        this.asked = parts[asked];
        this.cost = cost;
    }

    @Override
    public synchronized boolean settle(long actualCost) {
        LocalLimiter.checkCost(actualCost);
        if (isClosed || isSettled) {
            return false;
        }
        isSettled = true;
        long charged = cost;
        cost = actualCost;
        boolean isCounted = false;
        for (Part part : parts) {
            isCounted |= part.limiter.settle(part, charged, actualCost);
            part.limiter.ring();
        }
        return isCounted;
    }

    @Override
    public synchronized boolean pushedBack(@Nullable Duration retryAfter) {
        if (isClosed) {
            return false;
        }
        Long wait = Hold.waitMicros(retryAfter);
        int jitter = asked.limiter.jitter();
        boolean isCounted = asked.limiter.change(
                asked.generation,
                (gate, now) -> gate.reject(new Start(asked.startedAt, 0), wait, jitter, "rejected", now));
        isRejected |= isCounted;
        return isCounted;
    }

    @Override
    public synchronized boolean renew() {
        return !isClosed;
    }

    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        ReleaseKind how = isRejected ? ReleaseKind.REJECTED : ReleaseKind.OK;
        long held = cost;
        for (Part part : parts) {
            part.limiter.end(part, held, how);
            part.limiter.ring();
        }
    }
}
