package dev.headgate.internal.run;

import dev.headgate.run.Guardrail;

/**
 * A charge that a budget does not cover.
 *
 * @param used spent and reserved before it
 * @param asked what it would have added
 */
public record BudgetExcess(Guardrail guardrail, long limit, long used, long asked) {
    @Override
    public String toString() {
        return guardrail.isPeak()
                ? "%s is %s, this needs %s".formatted(guardrail.title(), guardrail.text(limit), guardrail.text(asked))
                : "%s is %d, used are %d, this asks for %d more".formatted(guardrail.title(), limit, used, asked);
    }
}
