package dev.headgate.internal.worker;

import dev.headgate.internal.time.Nanos;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Lets callers wait for a quiet moment of the claim loop. Costs the claim loop one volatile read if no caller waits.
 */
final class IdleWait {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final AtomicInteger waiting = new AtomicInteger();

    /** Something changed that a caller may wait for. */
    void changed() {
        if (waiting.get() > 0) {
            lock.lock();
            try {
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /** Waits until the condition holds; checks it again after every {@link #changed}. */
    boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
        long left = Nanos.of(timeout);
        lock.lock();
        try {
            waiting.incrementAndGet();
            while (!condition.getAsBoolean()) {
                if (left <= 0) {
                    return false;
                }
                left = changed.awaitNanos(left);
            }
            return true;
        } finally {
            waiting.decrementAndGet();
            lock.unlock();
        }
    }
}
