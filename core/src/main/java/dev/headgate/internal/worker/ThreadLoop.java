package dev.headgate.internal.worker;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A loop on a platform thread of its own. No store work runs on a virtual thread: a driver may pin its carrier, and
 * with all carriers pinned nothing moves.
 */
final class ThreadLoop implements Loop {
    private static final Logger log = LoggerFactory.getLogger(ThreadLoop.class);
    private static final long AFTER_A_BUG_NANOS = Duration.ofMillis(100).toNanos();

    private final WakeSignal signal = new WakeSignal();
    private final LongSupplier round;
    private final Thread thread;
    private volatile boolean isOver;

    ThreadLoop(String role, String worker, LongSupplier round) {
        this.round = round;
        this.thread = Thread.ofPlatform()
                .name("headgate-%s-%s".formatted(role, worker))
                .daemon()
                .unstarted(this::run);
    }

    @Override
    public void start() {
        thread.start();
    }

    @Override
    public void wake() {
        signal.raise();
    }

    @Override
    public void finish() {
        isOver = true;
        signal.raise();
    }

    @Override
    public boolean join(Duration atMost) throws InterruptedException {
        return thread.join(atMost);
    }

    private void run() {
        while (!isOver) {
            long pause;
            try {
                pause = round.getAsLong();
            } catch (RuntimeException | Error bug) {
                log.error("{}: a fault in Headgate; going on", thread.getName(), bug);
                pause = AFTER_A_BUG_NANOS;
            }
            if (!isOver) {
                signal.await(pause);
            }
        }
    }
}
