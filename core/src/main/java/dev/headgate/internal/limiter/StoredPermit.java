package dev.headgate.internal.limiter;

import dev.headgate.internal.admission.ReleaseKind;
import dev.headgate.internal.limiter.PermitStore.Granted;
import dev.headgate.internal.limiter.PermitStore.Part;
import dev.headgate.limiter.LocalLimiter;
import dev.headgate.limiter.Permit;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A permit of gates of the store. Each call is stored when it returns. */
final class StoredPermit implements Permit {
    private final GateLimiter limiter;
    private final Granted granted;
    private final Duration lag;
    /** Not a monitor: a virtual thread that waits for the store must not pin its carrier. */
    private final ReentrantLock lock = new ReentrantLock();

    private List<Part> parts;
    private boolean isSettled;
    private boolean isUnsure;
    private boolean isRejected;
    private boolean isClosed;

    /** @param lag the time from its grant until it was here */
    StoredPermit(GateLimiter limiter, Granted granted, Duration lag) {
        this.limiter = limiter;
        this.granted = granted;
        this.lag = lag;
        this.parts = granted.parts();
    }

    List<Part> parts() {
        return granted.parts();
    }

    @Override
    public boolean settle(long actualCost) {
        LocalLimiter.checkCost(actualCost);
        lock.lock();
        try {
            if (isClosed || isSettled) {
                return false;
            }
            isUnsure = true; // if the store cannot be reached, it may or may not have counted
            boolean isCounted = limiter.store().settle(parts, actualCost);
            isUnsure = false;
            isSettled = true;
            parts = parts.stream().map(part -> part.settled(actualCost)).toList();
            limiter.ring();
            return isCounted;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean pushedBack(@Nullable Duration retryAfter) {
        lock.lock();
        try {
            boolean isCounted = !isClosed && limiter.reject(this, retryAfter);
            isRejected |= isCounted;
            return isCounted;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean renew() {
        lock.lock();
        try {
            return !isClosed && limiter.renew(this);
        } finally {
            lock.unlock();
        }
    }

    /**
     * The parts to report. A part without a place has nothing to report once the margin is over, or if it is not known
     * what counts.
     */
    private List<Part> told() {
        boolean isMoved = !isUnsure && !granted.isMarginOver(limiter.nanos());
        return isMoved ? parts : parts.stream().filter(Part::isHolding).toList();
    }

    /** Throws if the store cannot be reached, and may be closed again; else the place ends with its time to live. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (!isClosed) {
                limiter.store().giveBack(told(), isRejected ? ReleaseKind.REJECTED : ReleaseKind.OK, lag);
                isClosed = true;
                limiter.ring();
            }
        } finally {
            lock.unlock();
        }
    }
}
