package dev.headgate.internal.worker;

import dev.headgate.limit.Retention;
import dev.headgate.limit.Serve;
import dev.headgate.limiter.LocalLimiter;
import dev.headgate.resource.Headroom;
import dev.headgate.resource.PoolBounds;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a worker was asked to be.
 *
 * @param retention how long ended jobs of its queues are kept at least; absent means that it says nothing of that
 * @param limiter limits of this process alone
 * @param serve which of its queues it serves first
 * @param room what it has for its jobs; absent means that it was not said
 * @param until for how long it starts jobs, if they can be done by then
 * @param pool between how many slots it moves; {@code slots} is the most
 * @param lostMax how many workers a job that it runs may lose before the job fails
 * @param warmUps what to do before it registers, besides what its handlers ask for; absent means that it does not warm up at all
 */
public record WorkerSettings(
        String name,
        List<String> queues,
        int slots,
        Threads threads,
        Duration lease,
        Duration drain,
        Duration pollEvery,
        @Nullable Retention retention,
        @Nullable LocalLimiter limiter,
        Serve serve,
        @Nullable Headroom room,
        @Nullable Duration until,
        PoolBounds pool,
        int lostMax,
        @Nullable List<Runnable> warmUps) {
    /** What handlers run on. */
    public enum Threads {
        VIRTUAL,
        PLATFORM
    }
}
