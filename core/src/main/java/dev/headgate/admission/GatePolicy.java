package dev.headgate.admission;

import java.util.List;

/** The limits of a gate or queue. All of them must agree before a job starts. */
public record GatePolicy(List<Limit> limits) {
    /** No limit: everything may start. Its use is still counted, so that a policy set later knows what runs. */
    public static final GatePolicy OPEN = new GatePolicy(List.of());

    private static final int LIMITS_MAX = 16;

    public GatePolicy {
        limits = List.copyOf(limits);
        if (limits.size() > LIMITS_MAX) {
            throw new IllegalArgumentException(
                    "policy: expected at most %d limits, got %d".formatted(LIMITS_MAX, limits.size()));
        }
    }

    public static GatePolicy of(Limit... limits) {
        return new GatePolicy(List.of(limits));
    }

    public boolean isOpen() {
        return limits.isEmpty();
    }

    public String text() {
        return LimitText.text(limits);
    }
}
