package dev.headgate.run;

/**
 * One line of a run's budget.
 *
 * @param limit the most; {@link Long#MAX_VALUE} if there is none
 * @param used what is spent
 * @param reserved what was charged for work that has not ended yet
 */
public record BudgetLine(Guardrail guardrail, long limit, long used, long reserved) {
    /** Usage from which a run is warned. */
    public static final int WARN_PERCENT = 80;

    /** Whether at least 80 percent are used or reserved. */
    public boolean isHigh() {
        long taken = used + reserved;
        // A limit may be as large as a long, so a large one is divided first.
        long threshold = limit < 1_000 ? (limit * WARN_PERCENT + 99) / 100 : limit / 100 * WARN_PERCENT;
        return taken > 0 && taken >= threshold;
    }

    /** What may still be spent. */
    public long left() {
        return Math.max(0, limit - used - reserved);
    }
}
