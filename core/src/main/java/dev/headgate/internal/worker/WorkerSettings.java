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
 * @param warmUps what to run before it registers, besides what its handlers ask for; absent means that it does not warm
 *     up at all
 */
public record WorkerSettings(
        String name,
        Serving serving,
        Timing timing,
        Limits limits,
        Threads threads,
        @Nullable List<Runnable> warmUps) {
    /**
     * What it serves.
     *
     * @param order which of its queues it serves first
     * @param retention the least time for which ended jobs of its queues are kept; absent means no say
     */
    public record Serving(
            List<String> queues, Serve order, @Nullable Retention retention) {}

    /** How long things take: its lease, its drain at the end, and the time between two looks for jobs. */
    public record Timing(Duration lease, Duration drain, Duration pollEvery) {}

    /**
     * How much it runs.
     *
     * @param pool the bounds of its number of slots
     * @param limiter limits of this process alone
     * @param room the resources for its jobs; absent means not set
     * @param until for how long it starts jobs, if they can be done by then
     * @param lostMax how many workers a job that it runs may lose before the job fails
     */
    public record Limits(
            PoolBounds pool,
            @Nullable LocalLimiter limiter,
            @Nullable Headroom room,
            @Nullable Duration until,
            int lostMax) {}

    /** What handlers run on. */
    public enum Threads {
        VIRTUAL,
        PLATFORM
    }
}
