package dev.headgate.engine;

import dev.headgate.admission.BacklogCap.Overflow;
import dev.headgate.job.NewJob;
import dev.headgate.store.BacklogFullException;
import dev.headgate.store.JobTable.Inserted;
import dev.headgate.time.Nanos;
import dev.headgate.time.Ticker;
import dev.headgate.transition.JobStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Waits for room in a full backlog, where its policy says to block. Holds nothing while it waits. */
public final class Room {
    private static final long FIRST_LOOK_NANOS = Duration.ofMillis(5).toNanos();
    private static final long LAST_LOOK_NANOS = Duration.ofMillis(250).toNanos();

    private Room() {}

    /**
     * Enqueues as soon as there is room.
     *
     * @throws BacklogFullException if there is none in the time that the policy gives, or the thread was interrupted
     */
    public static List<Inserted> enqueue(JobStore store, Ticker ticker, List<NewJob> jobs) {
        long start = ticker.nanos();
        long pause = FIRST_LOOK_NANOS;
        while (true) {
            try {
                return store.enqueue(jobs);
            } catch (BacklogFullException full) {
                long left = Nanos.of(full.cap().patience()) - (ticker.nanos() - start);
                boolean canWait = full.cap().overflow() == Overflow.BLOCK
                        && jobs.size() <= full.cap().max();
                if (!canWait || left <= 0 || Thread.currentThread().isInterrupted()) {
                    throw full;
                }
                LockSupport.parkNanos(Room.class, Math.min(left, pause));
                pause = Math.min(LAST_LOOK_NANOS, pause * 2);
            }
        }
    }
}
