package dev.headgate.internal.worker;

import dev.headgate.internal.enqueue.BesideJobs;
import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.time.Nanos;
import dev.headgate.internal.time.Ticker;
import dev.headgate.limit.BacklogCap.Overflow;
import dev.headgate.limit.BacklogFullException;
import dev.headgate.spi.JobTable.Inserted;
import dev.headgate.spi.NewJob;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Waits for room in a full backlog whose policy says to block. Holds no lock and no transaction while it waits. */
public final class BacklogWait {
    private static final long FIRST_LOOK_NANOS = Duration.ofMillis(5).toNanos();
    private static final long LAST_LOOK_NANOS = Duration.ofMillis(250).toNanos();

    private BacklogWait() {}

    /**
     * Enqueues as soon as there is room.
     *
     * @throws BacklogFullException if there is no room within the time that the policy gives, or the thread is
     *     interrupted
     */
    public static List<Inserted> enqueue(JobStore store, Ticker ticker, List<NewJob> jobs, BesideJobs beside) {
        long start = ticker.nanos();
        long pause = FIRST_LOOK_NANOS;
        while (true) {
            try {
                return store.enqueues().run(jobs, beside);
            } catch (BacklogFullException full) {
                long left = Nanos.of(full.cap().patience()) - (ticker.nanos() - start);
                boolean canWait = full.cap().overflow() == Overflow.BLOCK
                        && jobs.size() <= full.cap().max();
                if (!canWait || left <= 0 || Thread.currentThread().isInterrupted()) {
                    throw full;
                }
                LockSupport.parkNanos(BacklogWait.class, Math.min(left, pause));
                pause = Math.min(LAST_LOOK_NANOS, pause * 2);
            }
        }
    }
}
