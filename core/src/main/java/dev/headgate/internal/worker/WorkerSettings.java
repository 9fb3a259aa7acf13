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
 * The settings of a worker.
 *
 * @param retention the least time for which ended jobs of its queues are kept; absent means no say
 * @param limiter limits of this process alone
 * @param serve which of its queues it serves first
 * @param room the resources for its jobs; absent means not set
 * @param until for how long it starts jobs, if they can be done by then
 * @param pool the bounds of its number of slots; {@code slots} is the most
 * @param lostMax how many workers a job that it runs may lose before the job fails
 * @param warmUps what to run before it registers, besides what its handlers ask for; absent means that it does not warm
 *     up at all
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
