package dev.headgate.engine;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A platform thread that does its round whenever it is woken or its time has come. No store work runs on a virtual
 * thread: a driver may hold on to its carrier, and with all carriers held nothing moves.
 */
final class Loop {
    private static final Logger log = LoggerFactory.getLogger(Loop.class);
    private static final long AFTER_A_BUG_NANOS = Duration.ofMillis(100).toNanos();

    private final Signal signal = new Signal();
    private final LongSupplier round;
    private final Thread thread;
    private volatile boolean isOver;

    /**
     * A loop that has not started yet.
     *
     * @param round does what is to be done and answers in how many nanoseconds to come back at the latest
     */
    Loop(String role, String worker, LongSupplier round) {
        this.round = round;
        this.thread = Thread.ofPlatform()
                .name("headgate-%s-%s".formatted(role, worker))
                .daemon()
                .unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    boolean isOver() {
        return isOver;
    }

    void wake() {
        signal.raise();
    }

    /** Ends after the present round; whoever needs that waits with {@link #join}. */
    void finish() {
        isOver = true;
        signal.raise();
    }

    /** Waits for the end; answers whether it came in time. */
    boolean join(Duration atMost) throws InterruptedException {
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
