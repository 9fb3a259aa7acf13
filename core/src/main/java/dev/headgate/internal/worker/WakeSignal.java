package dev.headgate.internal.worker;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Wakes one thread. Raising a raised signal costs one read, so thousands of handlers may raise it while its thread is
 * busy. The thread lowers it before it looks at the work, so no wake-up is lost.
 */
final class WakeSignal {
    private final AtomicBoolean isUp = new AtomicBoolean();
    private volatile @Nullable Thread waiter;

    void raise() {
        if (!isUp.get() && isUp.compareAndSet(false, true)) {
            LockSupport.unpark(waiter);
        }
    }

    /** Waits until the signal is up, for this long at most, and lowers it. Called by one thread only. */
    void await(long nanos) {
        if (!isUp.get() && nanos > 0) {
            waiter = Thread.currentThread();
            if (!isUp.get()) {
                // May return early; every caller checks the work and comes back.
                LockSupport.parkNanos(this, nanos);
            }
            waiter = null;
            // A thread that stays interrupted would never park again.
            Thread.interrupted();
        }
        isUp.set(false);
    }
}
