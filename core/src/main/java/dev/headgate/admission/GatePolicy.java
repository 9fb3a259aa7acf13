package dev.headgate.admission;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
        checkBuckets(limits);
    }

    /** A gate keeps one bucket per period and unit, so two such rates would spend each other's tokens. */
    private static void checkBuckets(List<Limit> limits) {
        Map<String, Rate> byBucket = new HashMap<>();
        for (Limit limit : limits) {
            if (limit instanceof Rate rate) {
                Rate other = byBucket.put(rate.bucketKey(), rate);
                if (other != null) {
                    throw new IllegalArgumentException(
                            "policy: expected at most one rate per period and unit, got '%s' and '%s'; write one of them with another period, such as 1/500ms for 2/1s"
                                    .formatted(other.text(), rate.text()));
                }
            }
        }
    }

    public static GatePolicy of(Limit... limits) {
        return new GatePolicy(List.of(limits));
    }

    /** Reads back what {@link #text} wrote. */
    public static GatePolicy parse(String text) {
        return new GatePolicy(LimitText.parseAll(text));
    }

    public boolean isOpen() {
        return limits.isEmpty();
    }

    public String text() {
        return LimitText.text(limits);
    }
}
