package dev.headgate.figure;

import java.time.Duration;
import java.util.List;

/**
 * How many times were how long, in fixed buckets.
 *
 * @param counts one number for each of {@link #BOUNDS}, for times up to it and longer than the one before; the last is for all
 *     that were longer
 * @param total the sum of all times
 */
public record Histogram(List<Long> counts, Duration total) {
    /** The upper bounds of the buckets but the last, which has none. */
    public static final List<Duration> BOUNDS = List.of(
            Duration.ofMillis(1),
            Duration.ofMillis(3),
            Duration.ofMillis(10),
            Duration.ofMillis(30),
            Duration.ofMillis(100),
            Duration.ofMillis(300),
            Duration.ofSeconds(1),
            Duration.ofSeconds(3),
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofMinutes(1),
            Duration.ofMinutes(5),
            Duration.ofMinutes(15),
            Duration.ofHours(1),
            Duration.ofHours(6),
            Duration.ofDays(1));

    public Histogram {
        counts = List.copyOf(counts);
        if (counts.size() != BOUNDS.size() + 1) {
            throw new IllegalArgumentException(
                    "histogram: expected %d counts, got %d".formatted(BOUNDS.size() + 1, counts.size()));
        }
    }

    /** How many times there are. */
    public long count() {
        long count = 0;
        for (long each : counts) {
            count += each;
        }
        return count;
    }

    /**
     * A time that so many percent of all were not longer than: the upper bound of the bucket that this falls into, so it may be up to
     * three times too long. Zero if there are none; one day if it falls into the last bucket.
     */
    public Duration percentile(int percent) {
        if (percent < 1 || percent > 100) {
            throw new IllegalArgumentException("percentile: expected 1 to 100 percent, got %d".formatted(percent));
        }
        long all = count();
        if (all == 0) {
            return Duration.ZERO;
        }
        long wanted = (all * percent + 99) / 100;
        long seen = 0;
        for (int bucket = 0; bucket < BOUNDS.size(); bucket++) {
            seen += counts.get(bucket);
            if (seen >= wanted) {
                return BOUNDS.get(bucket);
            }
        }
        return BOUNDS.getLast();
    }

    /** The average; zero if there are none. */
    public Duration mean() {
        long all = count();
        return all == 0 ? Duration.ZERO : total.dividedBy(all);
    }
}
