package dev.headgate.admission;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All stored policies at one version. A name that ends in {@code *} covers every name with that beginning; the exact
 * name wins over any pattern, the longer pattern over the shorter. Immutable.
 */
public final class PolicyBook {
    public static final PolicyBook EMPTY = new PolicyBook(0, Map.of());

    private final long version;
    private final Map<GateKey, GatePolicy> stored;
    private final List<GateKey> patterns;

    public PolicyBook(long version, Map<GateKey, GatePolicy> stored) {
        this.version = version;
        this.stored = Map.copyOf(stored);
        List<GateKey> starred = new ArrayList<>();
        for (GateKey key : stored.keySet()) {
            if (isPattern(key)) {
                starred.add(key);
            }
        }
        starred.sort(Comparator.comparingInt((GateKey key) -> key.name().length())
                .reversed()
                .thenComparing(Comparator.naturalOrder()));
        this.patterns = List.copyOf(starred);
    }

    /** Rises with every change, so that a worker can tell whether its copy is the stored one. */
    public long version() {
        return version;
    }

    public Map<GateKey, GatePolicy> stored() {
        return stored;
    }

    /** The policy that decides for this gate or queue; {@link GatePolicy#OPEN} if nothing covers it. */
    public GatePolicy policyFor(GateKey key) {
        GatePolicy exact = stored.get(key);
        if (exact != null) {
            return exact;
        }
        for (GateKey pattern : patterns) {
            if (covers(pattern, key)) {
                return stored.getOrDefault(pattern, GatePolicy.OPEN);
            }
        }
        return GatePolicy.OPEN;
    }

    /** A copy with one policy set; an open policy removes the entry. */
    public PolicyBook with(GateKey key, GatePolicy policy, long newVersion) {
        Map<GateKey, GatePolicy> changed = new HashMap<>(stored);
        if (policy.isOpen()) {
            changed.remove(key);
        } else {
            changed.put(key, policy);
        }
        return new PolicyBook(newVersion, changed);
    }

    /** Whether the entry {@code pattern} applies to {@code key}, exactly or by its star. */
    public static boolean covers(GateKey pattern, GateKey key) {
        if (pattern.scope() != key.scope()) {
            return false;
        }
        return pattern.equals(key) || (isPattern(pattern) && key.name().startsWith(prefix(pattern)));
    }

    public static boolean isPattern(GateKey key) {
        return key.name().endsWith("*");
    }

    private static String prefix(GateKey pattern) {
        return pattern.name().substring(0, pattern.name().length() - 1);
    }
}
