package dev.headgate.run;

/**
 * One line of a run's budget.
 *
 * @param limit the most; {@link Long#MAX_VALUE} if there is none
 * @param used what is spent
 * @param reserved what was charged for work that has not ended yet
 */
public record BudgetLine(Guardrail guardrail, long limit, long used, long reserved) {
    public long left() {
        return Math.max(0, limit - used - reserved);
    }
}
