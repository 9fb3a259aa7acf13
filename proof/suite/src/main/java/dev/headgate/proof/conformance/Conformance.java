package dev.headgate.proof.conformance;

import dev.headgate.internal.time.Micros;
import dev.headgate.limit.Margin;
import dev.headgate.proof.StoreFixture;
import java.time.Duration;

/**
 * Behaviours that users bring with them from another system. None of those systems knows a margin, so the cases run
 * without one; they can be run once more with one, which leaves them true but for the span that it costs.
 */
public interface Conformance extends StoreFixture {
    /** What the limits of these cases have, unless a case says otherwise. */
    default Margin margin() {
        return Margin.NONE;
    }

    /** What this span is with the margin. */
    default Duration later(Duration span) {
        return span.plus(Micros.duration(margin().micros()));
    }

    /** How this limit is shown with the margin. */
    default String shown(String limit) {
        return limit + " margin " + margin().text();
    }
}
