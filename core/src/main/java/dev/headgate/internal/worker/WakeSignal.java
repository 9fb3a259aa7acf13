package dev.headgate.internal.worker;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Wakes one thread. Raising a signal that is up already costs one read, so thousands of handlers may raise it while its
 * thread is busy; lowering it before looking at the work means that no wake-up is lost.
 */
final class WakeSignal {
    private final AtomicBoolean isUp = new AtomicBoolean();
    private volatile @Nullable Thread waiter;

    void raise() {
        if (!isUp.get() && isUp.compareAndSet(false, true)) {
            LockSupport.unpark(waiter);
        }
    }

    /** Waits until the signal is up, for this long at most, and lowers it. Only ever called by one thread. */
    void await(long nanos) {
        if (!isUp.get() && nanos > 0) {
            waiter = Thread.currentThread();
            if (!isUp.get()) {
                // May return early; every caller looks at the work and comes back.
                LockSupport.parkNanos(this, nanos);
            }
            waiter = null;
            // A thread that stays interrupted would never park again.
            Thread.interrupted();
        }
        isUp.set(false);
    }
}
