package dev.headgate.internal.worker;

import dev.headgate.internal.time.Nanos;
import dev.headgate.internal.time.Ticker;
import dev.headgate.internal.worker.RunningWorker.Shared;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Interrupts handlers in time: those that take too long, and all of them before a lease ends that cannot be extended.
 * Never touches the store: it is needed most when the store hangs.
 */
final class TimeoutLoop {
    private static final Logger log = LoggerFactory.getLogger(TimeoutLoop.class);

    private final Loop loop;
    private final Ticker ticker;
    private final WorkerLease workerLease;
    private final Slots slots;
    private final long recheckNanos;
    private volatile long wakeNanos;
    private volatile boolean isScanning = true;
    private long shakenNanos;
    private boolean isShaken;

    TimeoutLoop(Shared shared, WorkerSettings settings, WorkerLease workerLease, Slots slots) {
        this.loop = shared.runner().loop("watch", settings.name(), this::round);
        this.ticker = shared.ticker();
        this.workerLease = workerLease;
        this.slots = slots;
        this.recheckNanos = Nanos.of(settings.timing().lease()) / 12;
    }

    /** A run has started that must stop then. */
    void expect(RunTimeLimit due) {
        if (!due.equals(RunTimeLimit.NEVER) && (isScanning || due.nanos() - wakeNanos < 0)) {
            loop.wake();
        }
    }

    private long round() {
        isScanning = true;
        long now = ticker.nanos();
        long next = Math.min(stopLate(now), guardLease(now));
        wakeNanos = now + next;
        isScanning = false;
        return next;
    }

    private long stopLate(long now) {
        long next = Nanos.FOR_EVER;
        for (RunningJob run : slots.running()) {
            RunTimeLimit due = run.due();
            if (due.equals(RunTimeLimit.NEVER) || run.isCancelled()) {
                continue;
            }
            long left = due.nanos() - now;
            if (left <= 0) {
                log.info("{}: {}; its handler is interrupted", run, due.why().text());
                run.stop(due.why());
            } else {
                next = Math.min(next, left);
            }
        }
        return next;
    }

    private long guardLease(long now) {
        long left = workerLease.interruptNanos() - now;
        if (left > 0) {
            return left;
        }
        long heard = workerLease.heardNanos();
        if (!workerLease.isLost() && (!isShaken || heard != shakenNanos)) {
            isShaken = true;
            shakenNanos = heard;
            int running = slots.busy();
            if (running > 0) {
                log.warn(
                        "worker {}: no heartbeat has reached the store for three quarters of the lease; {} handlers are"
                                + " interrupted before it ends, and nothing is claimed until the store is back",
                        workerLease.id(),
                        running);
            }
            slots.stopAll(workerLease.id(), StopReason.LEASE_ENDING);
        }
        return recheckNanos;
    }

    Loop loop() {
        return loop;
    }
}
