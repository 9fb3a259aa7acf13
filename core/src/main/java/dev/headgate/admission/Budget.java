package dev.headgate.admission;

/** At most {@code units} of job cost in valid leases at any instant. Equality is allowed; a job of cost 0 always fits. */
public record Budget(long units) implements Limit {
    public Budget {
        if (units < 1) {
            throw new IllegalArgumentException("budget: expected at least 1 unit, got %d".formatted(units));
        }
    }

    @Override
    public Verdict verdict(GateState state, long now, Ask ask) {
        if (ask.cost() == 0) {
            return Verdict.YES;
        }
        if (ask.cost() > units) {
            return new Verdict.Never("costs %d units, the budget is %d".formatted(ask.cost(), units));
        }
        return state.units() + ask.cost() + ask.aside().units() <= units
                ? Verdict.YES
                : new Verdict.UntilRelease(
                        "%d of %d units in use, %d asked".formatted(state.units(), units, ask.cost()));
    }

    @Override
    public String text() {
        return "budget " + units;
    }
}
