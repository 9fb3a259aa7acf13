package dev.headgate.internal.worker;

import dev.headgate.internal.lease.EndedLease;
import dev.headgate.job.JobSpec.FrameRef;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Wakes callers in this process that wait for a job when its worker brings it back, so that they need not wait for
 * their next look at the store.
 */
public final class CompletionSignals {
    private final ConcurrentHashMap<Long, Waiters> waiting = new ConcurrentHashMap<>();

    private static final class Waiters {
        private final Semaphore news = new Semaphore(0);
        private final AtomicInteger count = new AtomicInteger();
    }

    /** A wait for signals of one job; must be closed. */
    public final class Ticket implements AutoCloseable {
        private final long job;
        private final Waiters waiters;

        private Ticket(long job, Waiters waiters) {
            this.job = job;
            this.waiters = waiters;
        }

        /** Waits until there may be a signal, for this long at most. */
        public void await(long nanos) throws InterruptedException {
            if (waiters.news.tryAcquire(nanos, TimeUnit.NANOSECONDS)) {
                waiters.news.drainPermits();
            }
        }

        @Override
        public void close() {
            waiting.computeIfPresent(job, (id, all) -> all.count.decrementAndGet() == 0 ? null : all);
        }
    }

    /** The number that signals of a workflow run have; jobs have positive numbers. */
    public static long ofFrame(long frame) {
        return -frame;
    }

    public Ticket enter(long job) {
        Waiters all = waiting.compute(job, (id, known) -> {
            Waiters waiters = known == null ? new Waiters() : known;
            waiters.count.incrementAndGet();
            return waiters;
        });
        return new Ticket(job, all);
    }

    /** Wakes callers that wait for these jobs or for their runs. Costs nothing while no caller waits. */
    void announce(List<EndedLease> ended) {
        if (waiting.isEmpty()) {
            return;
        }
        for (EndedLease each : ended) {
            announce(each.lease().id());
            FrameRef frame = each.lease().spec().frame();
            if (frame != null) {
                announce(ofFrame(frame.frame()));
            }
        }
    }

    private void announce(long job) {
        Waiters all = waiting.get(job);
        if (all != null) {
            all.news.release(Math.max(1, all.count.get()));
        }
    }
}
