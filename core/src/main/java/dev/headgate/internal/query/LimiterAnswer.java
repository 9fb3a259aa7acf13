package dev.headgate.internal.query;

import dev.headgate.explain.Reason.WorkerLimiter;
import dev.headgate.internal.resource.LimiterClosure;
import dev.headgate.internal.time.Micros;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.WorkerRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a job that its gates would let start waits for limiters that workers of its queue have of their own, by what they
 * last said of them. They say so when a limiter shuts for more than a second, and with their heartbeats.
 */
final class LimiterAnswer {
    private final long now;
    private final List<WorkerRow> free = new ArrayList<>();
    private final List<WorkerRow> shut = new ArrayList<>();
    private boolean isAnyFull;

    LimiterAnswer(StoreTransaction tx, JobRow job, long now) {
        this.now = now;
        for (WorkerRow worker : tx.workers().list()) {
            if (worker.isServing(job.spec().lane().queue(), now)) {
                boolean isFull = worker.holding().size() >= worker.slots();
                isAnyFull |= isFull;
                if (!isFull) {
                    (limiter(worker) == null ? free : shut).add(worker);
                }
            }
        }
        shut.sort(Comparator.comparingLong(this::opens));
    }

    private @Nullable LimiterClosure limiter(WorkerRow worker) {
        LimiterClosure limiter = LimiterClosure.parse(worker.room());
        Long opens = limiter == null ? null : limiter.opensAt();
        return opens != null && opens <= now ? null : limiter;
    }

    private long opens(WorkerRow worker) {
        LimiterClosure limiter = limiter(worker);
        Long opens = limiter == null ? null : limiter.opensAt();
        return opens == null ? Long.MAX_VALUE : opens;
    }

    /** Which limiter keeps the worker that will be free first; absent if a worker with a free slot has none that is shut. */
    @Nullable
    WorkerLimiter answer() {
        if (shut.isEmpty() || !free.isEmpty()) {
            return null;
        }
        WorkerRow first = shut.getFirst();
        LimiterClosure limiter = limiter(first);
        if (limiter == null) {
            return null;
        }
        long opens = opens(first);
        return new WorkerLimiter(
                first.id(),
                first.name(),
                limiter.reason(),
                opens == Long.MAX_VALUE ? null : Micros.instant(opens),
                limiter.isNever(),
                shut.size() - 1);
    }

    /** The first instant at which one of them opens; now if none is shut, or another worker may start it before. */
    long earliest() {
        boolean isShut = free.isEmpty() && !isAnyFull && !shut.isEmpty();
        long opens = isShut ? opens(shut.getFirst()) : now;
        return opens == Long.MAX_VALUE ? now : opens;
    }
}
