package dev.headgate.limit;

import dev.headgate.internal.time.Micros;
import java.time.Duration;

/**
 * A token bucket: {@code count} units per {@code per}, at most {@code burst} together. In any interval of length t at
 * most {@code burst + count × t / per} units start.
 *
 * <p>Kept as one instant (GCRA): the time at which the bucket would be full again. A unit costs {@code per / count} of
 * time, held as an exact ratio. Without {@link #burst}, a rate of jobs spaces its starts evenly (burst 1) and a rate
 * by cost lets one period's worth start together.
 */
public record Rate(long count, Duration per, long burst, boolean isByCost, Margin margin) implements Limit {
    /** {@code rate(n)} without its period; not a limit yet. */
    public record PerStage(long count) {
        public Rate per(Duration per) {
            return new Rate(count, per, 1, false);
        }
    }

    public Rate {
        LimitBounds.checkCount("rate", count);
        LimitBounds.checkPeriod("rate", count, per);
        if (burst < 1) {
            throw new IllegalArgumentException(
                    "rate %d per %s: expected a burst of at least 1, got %d".formatted(count, Spans.text(per), burst));
        }
        if (burst > (Long.MAX_VALUE / 4) / Micros.of(per)) {
            throw new IllegalArgumentException(
                    "rate %d per %s: expected a burst of at most %d for this period, got %d; use a shorter period"
                            .formatted(count, Spans.text(per), (Long.MAX_VALUE / 4) / Micros.of(per), burst));
        }
        margin.check("rate %d per %s".formatted(count, Spans.text(per)), per);
    }

    public Rate(long count, Duration per, long burst, boolean isByCost) {
        this(count, per, burst, isByCost, Margin.AUTO);
    }

    /** With another margin than {@link Margin#AUTO}, which uses the burst beyond the first unit only: it never slows the rate down. */
    @Override
    public Rate margin(Margin other) {
        return new Rate(count, per, burst, isByCost, other);
    }

    @Override
    public long stretchedMicros() {
        return (3 * burst - 2) * Micros.of(per) / (2 * count);
    }

    @Override
    public long longestMarginMicros() {
        return isByCost ? Margin.OPEN : Margin.leavingATenth(count, per, burst);
    }

    @Override
    public long marginMicros() {
        long unused = (burst - 1) * Micros.of(per) / count;
        return margin.micros(Margin.suiting(burst * Micros.of(per) / count, unused));
    }

    /** How many units may start together after a quiet time. Default: 1, or {@code count} for a rate by cost. */
    public Rate burst(long units) {
        return new Rate(count, per, units, isByCost, margin);
    }

    /** Counts the cost of jobs instead of jobs. For a burst of a single unit say {@code byCost().burst(1)}. */
    public Rate byCost() {
        return new Rate(count, per, burst == 1 ? count : burst, true, margin);
    }

    @Override
    public String key() {
        return "b." + Micros.of(per) + LimitBounds.unit(isByCost);
    }

    @Override
    public boolean isTimed() {
        return true;
    }

    @Override
    public String text() {
        return "rate " + count + "/" + Spans.text(per) + " burst " + burst + (isByCost ? " by-cost" : "")
                + margin.suffix();
    }
}
