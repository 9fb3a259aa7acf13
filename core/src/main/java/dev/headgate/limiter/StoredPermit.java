package dev.headgate.limiter;

import dev.headgate.admission.Returned;
import dev.headgate.transition.PermitStore.Part;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A permit of gates of the store. What it does is done when it returns. */
final class StoredPermit implements Permit {
    private final StoredLimiter limiter;
    private final List<Part> parts;
    /** Not a monitor: whoever waits for the store on a virtual thread must not hold on to its carrier. */
    private final ReentrantLock lock = new ReentrantLock();

    private boolean isSettled;
    private boolean isRejected;
    private boolean isClosed;

    StoredPermit(StoredLimiter limiter, List<Part> parts) {
        this.limiter = limiter;
        this.parts = parts;
    }

    List<Part> parts() {
        return parts;
    }

    @Override
    public boolean settle(long actualCost) {
        LocalLimiter.checkCost(actualCost);
        lock.lock();
        try {
            if (isClosed || isSettled) {
                return false;
            }
            boolean isCounted = limiter.store().settle(parts, actualCost);
            isSettled = true;
            limiter.ring();
            return isCounted;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean rejected(@Nullable Duration retryAfter) {
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

    /** If the store cannot be reached it throws, and may be closed again; else the place ends with its time to live. */
    @Override
    public void close() {
        lock.lock();
        try {
            if (!isClosed) {
                limiter.store().giveBack(parts, isRejected ? Returned.REJECTED : Returned.OK);
                isClosed = true;
                limiter.ring();
            }
        } finally {
            lock.unlock();
        }
    }
}
