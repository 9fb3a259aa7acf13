package dev.headgate.server.live;

import dev.headgate.internal.time.Ticker;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Lets many threads wait for what only looks at the store can tell, with one look for all of them: the first thread that finds a look
 * due takes it, and the others wait for what it brings. While no thread waits, nothing looks.
 */
final class SharedLook {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private final Duration pause;
    private final Runnable look;
    private long nextNanos = Ticker.SYSTEM.nanos();
    private boolean isLooking;
    private boolean isClosed;

    /**
     * Takes looks this far apart.
     *
     * @param look asks the store and keeps what it says for the requests that wait; run by one thread at a time
     */
    SharedLook(Duration pause, Runnable look) {
        this.pause = pause;
        this.look = look;
    }

    /** Waits until this is so, for this long at most; returns whether it is. */
    boolean await(BooleanSupplier isThere, Duration most) throws InterruptedException {
        long end = Ticker.SYSTEM.nanos() + most.toNanos();
        while (isToLook(isThere, end)) {
            try {
                look.run();
            } finally {
                looked();
            }
        }
        return isThere.getAsBoolean();
    }

    /** Waits until it is there, or the time is over; or until a look is due that this thread has to take: then returns true. */
    private boolean isToLook(BooleanSupplier isThere, long end) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!isClosed && !isThere.getAsBoolean()) {
                long now = Ticker.SYSTEM.nanos();
                if (now - end >= 0) {
                    return false;
                }
                if (!isLooking && now - nextNanos >= 0) {
                    isLooking = true;
                    return true;
                }
                long untilNext = isLooking ? Long.MAX_VALUE : nextNanos - now;
                news.awaitNanos(Math.min(end - now, untilNext));
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    private void looked() {
        lock.lock();
        try {
            isLooking = false;
            nextNanos = Ticker.SYSTEM.nanos() + pause.toNanos();
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Lets all that wait go. */
    void close() {
        lock.lock();
        try {
            isClosed = true;
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return isClosed;
        } finally {
            lock.unlock();
        }
    }
}
