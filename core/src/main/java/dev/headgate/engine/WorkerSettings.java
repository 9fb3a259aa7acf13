package dev.headgate.engine;

import dev.headgate.admission.Serve;
import dev.headgate.limiter.LocalLimiter;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a worker was asked to be.
 *
 * @param retention how long ended jobs are kept; absent means for ever
 * @param limiter limits of this process alone
 * @param serve which of its queues it serves first
 */
public record WorkerSettings(
        String name,
        List<String> queues,
        int slots,
        Threads threads,
        Duration lease,
        Duration drain,
        Duration pollEvery,
        @Nullable Duration retention,
        @Nullable LocalLimiter limiter,
        Serve serve) {
    /** What handlers run on. */
    public enum Threads {
        VIRTUAL,
        PLATFORM
    }
}
