package dev.headgate.limit;

/** At most {@code units} of job cost in valid leases at any instant. Equality is allowed; a job of cost 0 always fits. */
public record Budget(long units) implements Limit {
    public Budget {
        if (units < 1) {
            throw new IllegalArgumentException("budget: expected at least 1 unit, got %d".formatted(units));
        }
    }

    @Override
    public String key() {
        return "budget";
    }

    @Override
    public boolean isTimed() {
        return false;
    }

    @Override
    public String text() {
        return "budget " + units;
    }
}
