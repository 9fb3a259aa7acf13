package dev.headgate.limit;

/** At most {@code max} valid leases at any instant, whatever they cost. */
public record Concurrency(long max) implements Limit {
    public Concurrency {
        if (max < 1) {
            throw new IllegalArgumentException("concurrency: expected at least 1, got %d".formatted(max));
        }
    }

    @Override
    public String key() {
        return "concurrency";
    }

    @Override
    public boolean isTimed() {
        return false;
    }

    @Override
    public String text() {
        return "concurrency " + max;
    }
}
