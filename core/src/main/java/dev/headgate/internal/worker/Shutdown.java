package dev.headgate.internal.worker;

import dev.headgate.internal.time.Nanos;
import dev.headgate.internal.time.Ticker;
import dev.headgate.internal.worker.RunningWorker.Shared;
import dev.headgate.spi.Backend.Subscription;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops a worker in the only safe order: stop claiming, keep heartbeating, let handlers finish, interrupt them, hand
 * back what still runs by its epoch, deregister. Each step has a bound, so neither a handler that ignores all of it nor
 * a store that is away can hold up the process.
 */
final class Shutdown {
    private static final Logger log = LoggerFactory.getLogger(Shutdown.class);
    private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(3);
    private static final Duration AFTER_HAND_BACK = Duration.ofSeconds(1);
    private static final Duration AFTER_DRAIN = Duration.ofSeconds(5);

    private final Loop loop;
    private final Ticker ticker;
    private final WorkerSettings settings;
    private final Slots slots;
    private final ClaimLoop claimLoop;
    private final Goodbye goodbye;
    private final CountDownLatch isOver = new CountDownLatch(1);
    private volatile boolean isHurried;
    private @Nullable Subscription subscription;
    private boolean hasBegun;
    private Phase phase = Phase.DRAINING;
    private long untilNanos;

    /** What the shutdown waits for, each for a time of its own. */
    private enum Phase {
        DRAINING,
        INTERRUPTED,
        HANDED_BACK
    }

    /** The last steps. */
    interface Goodbye {
        void leave() throws InterruptedException;
    }

    Shutdown(Shared shared, WorkerSettings settings, Slots slots, ClaimLoop claimLoop, Goodbye goodbye) {
        this.loop = shared.runner().loop("shutdown", settings.name(), this::round);
        this.ticker = shared.ticker();
        this.settings = settings;
        this.slots = slots;
        this.claimLoop = claimLoop;
        this.goodbye = goodbye;
    }

    synchronized void closeLater(Subscription wakes) {
        subscription = wakes;
    }

    synchronized void begin(boolean isNow) {
        if (isNow) {
            isHurried = true;
            loop.wake();
        }
        if (!hasBegun) {
            hasBegun = true;
            claimLoop.listen(loop::wake);
            claimLoop.stopClaiming();
            untilNanos = ticker.nanos() + Nanos.of(settings.timing().drain());
            loop.start();
        }
    }

    boolean isOver() {
        return isOver.getCount() == 0;
    }

    /** Waits for the end. An interruption of the waiting thread shortens the wait, and is kept for the caller. */
    void await() {
        boolean isInterrupted = false;
        long left = settings.timing().drain().plus(AFTER_DRAIN).toMillis();
        while (true) {
            try {
                if (!isOver.await(left, TimeUnit.MILLISECONDS)) {
                    log.warn(
                            "worker {}: could not say goodbye to the store; its lease will end by itself",
                            settings.name());
                }
                break;
            } catch (InterruptedException hurry) {
                isInterrupted = true;
                left = AFTER_DRAIN.toMillis();
                begin(true);
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private long round() {
        boolean isDone = claimLoop.isSettled();
        long left = untilNanos - ticker.nanos();
        if (!isDone && left > 0 && !(isHurried && phase == Phase.DRAINING)) {
            return left;
        }
        if (isDone || phase == Phase.HANDED_BACK) {
            leave();
            loop.finish();
            return Nanos.FOR_EVER;
        }
        if (phase == Phase.DRAINING) {
            log.info("worker {}: interrupts {} handlers", settings.name(), slots.busy());
            slots.stopAll(null, StopReason.SHUTDOWN);
            await(Phase.INTERRUPTED, AFTER_INTERRUPT);
        } else {
            slots.abandonAll();
            await(Phase.HANDED_BACK, AFTER_HAND_BACK);
        }
        return 0;
    }

    private void await(Phase next, Duration atMost) {
        phase = next;
        untilNanos = ticker.nanos() + Nanos.of(atMost);
    }

    private void leave() {
        try {
            goodbye.leave();
        } catch (InterruptedException | RuntimeException cutShort) {
            log.warn(
                    "worker {}: left without a goodbye ({}); its lease will end by itself",
                    settings.name(),
                    cutShort.toString());
        } finally {
            closeSubscription();
            isOver.countDown();
        }
    }

    private synchronized void closeSubscription() {
        if (subscription != null) {
            subscription.close();
        }
    }
}
