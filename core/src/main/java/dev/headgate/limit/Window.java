package dev.headgate.limit;

import dev.headgate.internal.time.Micros;
import java.time.Duration;

/**
 * A sliding window: in <i>any</i> half-open interval of length {@code per} at most {@code count} jobs (or units) start.
 * A start exactly one window ago no longer counts.
 *
 * <p>Up to a hundred starts are remembered to the microsecond. Beyond that, starts within a 128th of the window are
 * remembered together, as of the latest of them: so a million a day takes no more memory than a thousand, and the
 * window is at most 0.8 % stricter than asked, never laxer.
 */
public record Window(long count, Duration per, boolean isByCost, Margin margin) implements Limit {
    /** {@code window(n)} without its period; not a limit yet. */
    public record PerStage(long count) {
        public Window per(Duration per) {
            return new Window(count, per, false);
        }
    }

    public Window {
        LimitBounds.checkCount("window", count);
        LimitBounds.checkPeriod("window", count, per);
        margin.check("window %d per %s".formatted(count, Spans.text(per)), per);
    }

    public Window(long count, Duration per, boolean isByCost) {
        this(count, per, isByCost, Margin.AUTO);
    }

    /** With another margin than {@link Margin#AUTO}. */
    @Override
    public Window margin(Margin other) {
        return new Window(count, per, isByCost, other);
    }

    @Override
    public long stretchedMicros() {
        return Micros.of(per) / 2;
    }

    @Override
    public long marginMicros() {
        return margin.micros(Margin.suiting(Micros.of(per), Micros.of(per) / 4));
    }

    /** Counts the cost of jobs instead of jobs. */
    public Window byCost() {
        return new Window(count, per, true, margin);
    }

    @Override
    public String key() {
        return "w." + Micros.of(per) + LimitBounds.unit(isByCost);
    }

    @Override
    public boolean isTimed() {
        return true;
    }

    @Override
    public String text() {
        return "window " + count + "/" + Spans.text(per) + (isByCost ? " by-cost" : "") + margin.suffix();
    }
}
