package dev.headgate.handler;

import dev.headgate.limit.Spans;
import java.time.Duration;

/**
 * How many jobs run as one batch, and how long they wait for each other: {@code BatchOptions.upTo(50).linger(ofMillis(20))}. Immutable.
 *
 * @param most the most members of a batch. A worker runs no more jobs at once than it has slots, and each member takes one
 * @param linger how long the first member waits for others to come. Default: zero, what was claimed together goes at once
 * @param isByLane whether only jobs of the same queue and the same gates are put together, such as those of one tenant
 * @param each how each member is tried. Default: {@link HandlerOptions#DEFAULT}
 */
public record BatchOptions(int most, Duration linger, boolean isByLane, HandlerOptions each) {
    private static final int MOST_MAX = 10_000;
    private static final Duration LINGER_MAX = Duration.ofMinutes(1);

    public BatchOptions {
        if (most < 1 || most > MOST_MAX) {
            throw new IllegalArgumentException(
                    "batch: expected up to 1 to %d members, got %d".formatted(MOST_MAX, most));
        }
        if (linger.isNegative() || linger.compareTo(LINGER_MAX) > 0) {
            throw new IllegalArgumentException(
                    "batch: expected a linger of zero to %s, got %s".formatted(Spans.text(LINGER_MAX), linger));
        }
    }

    /** Batches of up to this many jobs, 1 to 10,000. */
    public static BatchOptions upTo(int members) {
        return new BatchOptions(members, Duration.ZERO, false, HandlerOptions.DEFAULT);
    }

    /** How long the first member waits for others to come, up to a minute. Default: zero. */
    public BatchOptions linger(Duration time) {
        return new BatchOptions(most, time, isByLane, each);
    }

    /** Only jobs of the same queue and the same gates together. */
    public BatchOptions byLane() {
        return new BatchOptions(most, linger, true, each);
    }

    /** How each member is tried: its attempts, its retries, its time. */
    public BatchOptions each(HandlerOptions options) {
        return new BatchOptions(most, linger, isByLane, options);
    }
}
