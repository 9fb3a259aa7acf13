package dev.headgate.engine;

import dev.headgate.store.Backend.Subscription;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stops a worker in the only safe order: stop claiming, keep heartbeating, let handlers finish, interrupt them, hand back
 * what still runs by its epoch, say goodbye. Each step has its bound, so a handler that ignores all of it, or a store
 * that is away, cannot hold up the process.
 */
final class Shutdown {
    private static final Logger log = LoggerFactory.getLogger(Shutdown.class);
    private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(3);
    private static final Duration AFTER_HAND_BACK = Duration.ofSeconds(1);
    private static final Duration AFTER_DRAIN = Duration.ofSeconds(5);

    private final WorkerSettings settings;
    private final Slots slots;
    private final Dispatcher dispatcher;
    private final Goodbye goodbye;
    private final CountDownLatch isOver = new CountDownLatch(1);
    private volatile boolean isHurried;
    private @Nullable Subscription subscription;
    private boolean hasBegun;

    /** The last steps. */
    interface Goodbye {
        void leave() throws InterruptedException;
    }

    Shutdown(WorkerSettings settings, Slots slots, Dispatcher dispatcher, Goodbye goodbye) {
        this.settings = settings;
        this.slots = slots;
        this.dispatcher = dispatcher;
        this.goodbye = goodbye;
    }

    synchronized void closeLater(Subscription wakes) {
        subscription = wakes;
    }

    synchronized void begin(boolean isNow) {
        if (isNow) {
            isHurried = true;
            dispatcher.nudge();
        }
        if (!hasBegun) {
            hasBegun = true;
            dispatcher.stopClaiming();
            Thread.ofPlatform()
                    .daemon()
                    .name("headgate-shutdown-" + settings.name())
                    .start(this::run);
        }
    }

    boolean isOver() {
        return isOver.getCount() == 0;
    }

    /** Waits for the end. An interruption of the waiting thread hurries it, and is kept for the caller to see. */
    void await() {
        boolean isInterrupted = false;
        long left = settings.drain().plus(AFTER_DRAIN).toMillis();
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

    private void run() {
        try {
            boolean isDone = dispatcher.awaitSettled(() -> isHurried, settings.drain());
            if (!isDone) {
                log.info("worker {}: interrupts {} handlers", settings.name(), slots.busy());
                slots.stopAll(null, Stop.SHUTDOWN);
                isDone = dispatcher.awaitSettled(() -> false, AFTER_INTERRUPT);
            }
            if (!isDone) {
                slots.abandonAll();
                dispatcher.awaitSettled(() -> false, AFTER_HAND_BACK);
            }
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
