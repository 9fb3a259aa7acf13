package dev.headgate.limit;

import dev.headgate.internal.time.Micros;
import java.time.Duration;
import java.util.List;

/**
 * Even spacing, start to start: two starts are never closer than {@code per / count}, however long the jobs run and
 * however many run at once. By cost, a job of c units keeps the gate shut for {@code c × per / count} after its start.
 */
public record Spaced(long count, Duration per, boolean isByCost, Margin margin) implements Limit {
    /** {@code spaced(n)} without its period; not a limit yet. */
    public record PerStage(long count) {
        public Spaced per(Duration per) {
            return new Spaced(count, per, false);
        }
    }

    public Spaced {
        LimitBounds.checkCount("spaced", count);
        LimitBounds.checkPeriod("spaced", count, per);
        margin.check("spaced %d per %s".formatted(count, Spans.text(per)), per);
        if (isByCost && count > (Long.MAX_VALUE / 4) / Micros.of(per)) {
            throw new IllegalArgumentException(
                    "spaced %d per %s by cost: expected a count of at most %d for this period; use a shorter period"
                            .formatted(count, Spans.text(per), (Long.MAX_VALUE / 4) / Micros.of(per)));
        }
    }

    public Spaced(long count, Duration per, boolean isByCost) {
        this(count, per, isByCost, Margin.AUTO);
    }

    /** With another margin than {@link Margin#AUTO}, which is none here. It makes every distance longer by its span. */
    @Override
    public Spaced margin(Margin other) {
        return new Spaced(count, per, isByCost, other);
    }

    @Override
    public long longestMarginMicros() {
        return isByCost ? Margin.OPEN : Margin.leavingATenth(count, per, 1);
    }

    @Override
    public long marginMicros() {
        return margin.micros(0);
    }

    /** Each unit of cost keeps its distance, instead of each job. */
    public Spaced byCost() {
        return new Spaced(count, per, true, margin);
    }

    /** Without the period: the last start is remembered as it was, whatever distance is asked for later. */
    @Override
    public String key() {
        return "s." + LimitBounds.unit(isByCost);
    }

    /** Of several distances of one unit, those with the shorter margin come first, then the order of the policy counts. */
    @Override
    public String key(List<Limit> policy) {
        int before = 0;
        boolean isPassed = false;
        for (Limit each : policy) {
            isPassed |= each.equals(this);
            if (each instanceof Spaced other && other.isByCost == isByCost && !other.equals(this)) {
                long longer = other.marginMicros() - marginMicros();
                before += longer < 0 || (longer == 0 && !isPassed) ? 1 : 0;
            }
        }
        return before == 0 ? key() : "s." + (before + 1) + LimitBounds.unit(isByCost);
    }

    @Override
    public boolean isTimed() {
        return true;
    }

    @Override
    public String text() {
        if (count == 1 && !isByCost) {
            return "delay " + Spans.text(per) + margin.suffix();
        }
        return "spaced " + count + "/" + Spans.text(per) + (isByCost ? " by-cost" : "") + margin.suffix();
    }
}
