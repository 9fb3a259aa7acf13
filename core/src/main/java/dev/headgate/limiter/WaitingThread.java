package dev.headgate.limiter;

import dev.headgate.internal.admission.GateLedger;
import dev.headgate.internal.time.Nanos;
import dev.headgate.limiter.Limiter.Answer;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/**
 * One thread's place in the line of a limiter. Only the first in line asks; it sleeps until time opens the limiter or a
 * bell rings, and listens for bells before it asks, so none is missed.
 */
final class WaitingThread implements Runnable, AutoCloseable {
    private final GuardedLimiter limiter;
    private final Thread thread = Thread.currentThread();
    private final Set<GuardedLimiter> heard = new HashSet<>();
    private final long deadline;

    WaitingThread(GuardedLimiter limiter, Duration timeout) {
        this.limiter = limiter;
        this.deadline = limiter.time.ticker().nanos() + Nanos.of(timeout);
    }

    Answer await(ReentrantLock turnstile, Function<List<GuardedLimiter>, Answer> ask) throws InterruptedException {
        if (!turnstile.tryLock(left(), TimeUnit.NANOSECONDS)) {
            return new Denied(GateLedger.UNTIL_RELEASE, () -> "others waited before (line)");
        }
        try {
            while (true) {
                List<GuardedLimiter> all = limiter.all();
                listen(all);
                Answer answer = ask.apply(all);
                long left = left();
                if (!(answer instanceof Denied denied) || denied.isNever() || left <= 0) {
                    return answer;
                }
                Duration next = denied.next();
                LockSupport.parkNanos(this, next == null ? left : Math.min(left, Nanos.of(next)));
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        } finally {
            turnstile.unlock();
        }
    }

    /** The bell rings. */
    @Override
    public void run() {
        LockSupport.unpark(thread);
    }

    private long left() {
        return deadline - limiter.time.ticker().nanos();
    }

    private void listen(List<GuardedLimiter> all) {
        for (GuardedLimiter each : all) {
            if (heard.add(each)) {
                each.bells.add(this);
            }
        }
    }

    @Override
    public void close() {
        heard.forEach(each -> each.bells.remove(this));
    }
}
