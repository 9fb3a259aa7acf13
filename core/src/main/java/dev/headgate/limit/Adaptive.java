package dev.headgate.limit;

/**
 * A concurrency that finds its own value between two bounds: it begins at {@code min}, rises by one for every
 * <i>value</i> successes, and is halved by a rejection such as a 429, once per episode however many jobs it hits. The
 * value is part of the gate's stored state, the same for all workers.
 */
public record Adaptive(long min, long max) implements Limit {
    private static final long BOUND_MAX = 1_000_000;

    public Adaptive {
        if (min < 1 || max <= min || max > BOUND_MAX) {
            throw new IllegalArgumentException("adaptive: expected 1 <= min < max <= %d, got %d..%d; try adaptive 1..20"
                    .formatted(BOUND_MAX, min, max));
        }
    }

    @Override
    public String key() {
        return "a";
    }

    @Override
    public boolean isTimed() {
        return false;
    }

    @Override
    public String text() {
        return "adaptive " + min + ".." + max;
    }
}
