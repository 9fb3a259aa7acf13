package dev.headgate.proof.simulation;

import dev.headgate.limit.GateKey;
import dev.headgate.limit.Limit;
import dev.headgate.policy.PolicyChange;
import dev.headgate.policy.PolicyEntry;
import dev.headgate.policy.PolicyOverride;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which limits are in force at which instant, by what was committed alone. Shares nothing with the book that decides: an
 * override ends by the store's clock, and the exact name wins over any pattern, the longer pattern over the shorter.
 */
final class PolicyWatch {
    private final Map<GateKey, PolicyEntry> entries = new TreeMap<>();
    private int version;

    /** What decides at one gate from an instant until another, unless a policy changes. */
    record Term(int version, long from, long until, List<Limit> limits) {
        static final Term NONE = new Term(-1, 0, 0, List.of());
    }

    void saved(List<PolicyChange> changes) {
        version++;
        changes.forEach(change -> entries.put(change.key(), change.after()));
    }

    boolean isOver(Term term, long now) {
        return term.version != version || now < term.from || now >= term.until;
    }

    Term at(GateKey gate, long now) {
        long from = Long.MIN_VALUE;
        long until = Long.MAX_VALUE;
        List<Limit> limits = List.of();
        int closest = -1;
        for (Map.Entry<GateKey, PolicyEntry> named : entries.entrySet()) {
            PolicyEntry entry = named.getValue();
            PolicyOverride override = entry.override();
            boolean isMeanwhile = override != null && now < override.until();
            if (override != null && isMeanwhile) {
                until = Math.min(until, override.until());
            } else if (override != null) {
                from = Math.max(from, override.until());
            }
            int close = closeness(named.getKey(), gate);
            if (close > closest && (isMeanwhile || !entry.lasting().isOpen())) {
                closest = close;
                limits = override != null && isMeanwhile
                        ? override.policy().limits()
                        : entry.lasting().limits();
            }
        }
        return new Term(version, from, until, limits);
    }

    /** The longer what they have in common, the closer; -1 if the name is not for this gate. */
    private static int closeness(GateKey name, GateKey gate) {
        if (name.equals(gate)) {
            return Integer.MAX_VALUE;
        }
        String stem =
                name.name().endsWith("*") ? name.name().substring(0, name.name().length() - 1) : null;
        return stem != null && name.scope() == gate.scope() && gate.name().startsWith(stem) ? stem.length() : -1;
    }
}
