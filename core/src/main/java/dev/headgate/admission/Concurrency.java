package dev.headgate.admission;

/** At most {@code max} valid leases at any instant, whatever they cost. */
public record Concurrency(long max) implements Limit {
    public Concurrency {
        if (max < 1) {
            throw new IllegalArgumentException("concurrency: expected at least 1, got %d".formatted(max));
        }
    }

    @Override
    public Verdict verdict(GateState state, long now, Ask ask) {
        return state.leases() + 1 + ask.aside().leases() <= max
                ? Verdict.YES
                : new Verdict.UntilRelease("%d of %d in use".formatted(state.leases(), max));
    }

    @Override
    public String text() {
        return "concurrency " + max;
    }
}
