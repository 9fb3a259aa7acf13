package dev.headgate.admission;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A token bucket: {@code count} units per {@code per}, at most {@code burst} together. In any interval of length t at
 * most {@code burst + count × t / per} units start.
 *
 * <p>Kept as one instant (GCRA): the time at which the bucket would be full again. A unit costs {@code per / count} of
 * time, held as an exact ratio. Without {@link #burst}, a rate of jobs spaces its starts evenly (burst 1) and a rate
 * by cost lets one period's worth start together.
 */
public record Rate(long count, Duration per, long burst, boolean isByCost) implements Limit {
    private static final Duration PER_MAX = Duration.ofDays(366);
    private static final long COUNT_MAX = 1_000_000_000_000L;

    /** {@code rate(n)} without its period; not a limit yet. */
    public record PerStage(long count) {
        public Rate per(Duration per) {
            return new Rate(count, per, 1, false);
        }
    }

    public Rate {
        if (count < 1 || count > COUNT_MAX) {
            throw new IllegalArgumentException(
                    "rate: expected a count from 1 to %d, got %d".formatted(COUNT_MAX, count));
        }
        if (per.isNegative() || per.isZero() || per.compareTo(PER_MAX) > 0 || Micros.of(per) == 0) {
            throw new IllegalArgumentException(
                    "rate %d: expected a period from 1 microsecond to 366 days, got %s; try per(Duration.ofMinutes(1))"
                            .formatted(count, per));
        }
        if (burst < 1) {
            throw new IllegalArgumentException(
                    "rate %d per %s: expected a burst of at least 1, got %d".formatted(count, Spans.text(per), burst));
        }
        if (burst > (Long.MAX_VALUE / 4) / Micros.of(per)) {
            throw new IllegalArgumentException(
                    "rate %d per %s: expected a burst of at most %d for this period, got %d; use a shorter period"
                            .formatted(count, Spans.text(per), (Long.MAX_VALUE / 4) / Micros.of(per), burst));
        }
    }

    /** How many units may start together after a quiet time. Default: 1, or {@code count} for a rate by cost. */
    public Rate burst(long units) {
        return new Rate(count, per, units, isByCost);
    }

    /** Counts the cost of jobs instead of jobs. For a burst of a single unit say {@code byCost().burst(1)}. */
    public Rate byCost() {
        return new Rate(count, per, burst == 1 ? count : burst, true);
    }

    @Override
    public Verdict verdict(GateState state, long now, Ask ask) {
        long units = unitsOf(ask.cost());
        if (units > burst) {
            return new Verdict.Never("costs %d units, the burst is %d".formatted(units, burst));
        }
        long wanted = units + (isByCost ? ask.aside().units() : ask.aside().leases());
        if (units == 0) {
            return Verdict.YES;
        }
        if (wanted > burst) {
            return new Verdict.UntilRelease("%d tokens set aside".formatted(wanted - units));
        }
        long missing = missingParts(state.bucket(bucketKey()), now, wanted);
        if (missing <= 0) {
            return Verdict.YES;
        }
        long at = now + Math.ceilDiv(missing, count);
        return new Verdict.NotBefore(at, "%d of %d tokens".formatted(tokens(state.bucket(bucketKey()), now), burst));
    }

    /** The bucket after a start. */
    Tat take(@Nullable Tat tat, long now, long cost) {
        Tat base = tat == null || !tat.isAfter(now) ? new Tat(now, 0, count) : tat.in(count);
        return base.plusParts(unitsOf(cost) * Micros.of(per));
    }

    /** A bucket without a token: what a bucket is taken for when its state was lost. */
    Tat empty(long now) {
        return new Tat(now, 0, count).plusParts(burst * Micros.of(per));
    }

    /** Whole tokens now. */
    public long tokens(@Nullable Tat tat, long now) {
        long full = burst * Micros.of(per);
        return Math.max(0, full - aheadParts(tat, now)) / Micros.of(per);
    }

    /** Buckets are kept by period and unit, so that a changed count keeps what was already spent. */
    String bucketKey() {
        return Micros.of(per) + (isByCost ? "c" : "j");
    }

    private long unitsOf(long cost) {
        return isByCost ? cost : 1;
    }

    /** How much too early it is for {@code units}, in count-ths of a microsecond; zero or less means it may start. */
    private long missingParts(@Nullable Tat tat, long now, long units) {
        return aheadParts(tat, now) - (burst - units) * Micros.of(per);
    }

    /** How far the bucket's instant lies ahead of now, in count-ths of a microsecond; saturates far in the future. */
    private long aheadParts(@Nullable Tat tat, long now) {
        if (tat == null || !tat.isAfter(now)) {
            return 0;
        }
        Tat exact = tat.in(count);
        long ahead = exact.micros() - now;
        return ahead > (Long.MAX_VALUE / 2) / count ? Long.MAX_VALUE / 2 : ahead * count + exact.part();
    }

    @Override
    public String text() {
        return "rate %d/%s burst %d%s".formatted(count, Spans.text(per), burst, isByCost ? " by-cost" : "");
    }
}
