package dev.headgate.simulate;

import dev.headgate.limit.GateKey;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a simulation found. Times are counted from its start.
 *
 * @param neverFit jobs that ask for more than a gate can ever give
 * @param unstarted jobs that had not started at the end
 * @param lastStart absent if none started
 * @param keys each queue and gate that jobs named, in order
 */
public record Forecast(
        int started,
        int neverFit,
        int unstarted,
        @Nullable Duration lastStart,
        @Nullable Duration lastEnd,
        List<KeyForecast> keys) {

    /** Waits from arrival to start of the jobs that named one queue or gate, and how its limits were used. */
    public record KeyForecast(GateKey key, int starts, Waits waits, long peak, List<LimitUse> limits) {}

    /** Nearest-rank percentiles. */
    public record Waits(Duration p50, Duration p95, Duration max) {}

    /**
     * How much of what a limit allowed was used.
     *
     * @param percent until the last start, or until the last end for limits of what runs at once; absent where the calendar
     *     decides
     */
    public record LimitUse(String limit, @Nullable Integer percent) {}
}
