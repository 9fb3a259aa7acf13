package dev.headgate.internal.policy;

import dev.headgate.handler.RetryPolicy;
import dev.headgate.internal.admission.PolicyBook;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GateKey.Scope;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.PolicyOptions;
import dev.headgate.limit.TypePolicy;
import dev.headgate.policy.PolicyChange;
import dev.headgate.policy.PolicyChange.Kind;
import dev.headgate.policy.PolicyEntry;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the policy of a job type may say, and what only it may say. */
final class TypePolicies {
    private TypePolicies() {}

    /** A job type has no capacity, so it has no limits; a queue or gate demands nothing of jobs. */
    static void check(GateKey key, PolicyEntry entry) {
        GatePolicy policy = entry.lasting();
        TypePolicy demands = policy.options().type();
        if (key.scope() == Scope.TYPE) {
            GatePolicy others = policy.options(PolicyOptions.NONE);
            boolean isAlone = demands == null || policy.options().equals(PolicyOptions.NONE.with(demands));
            if (entry.override() != null || !others.isOpen() || !isAlone || (demands == null && !policy.isOpen())) {
                throw new IllegalArgumentException(
                        "policy of %s: expected what its jobs must have, to last, such as requires provider, tenant:*; got %s; limits belong to the gates"
                                .formatted(key, entry.text()));
            }
            checkRetry(key, demands);
        } else if (demands != null) {
            throw new IllegalArgumentException(
                    "policy of %s: expected '%s' in the policy of a job type, got it here; say type NAME"
                            .formatted(key, String.join("; ", demands.texts())));
        }
    }

    /** A text that cannot be read would fail each enqueue of the type. */
    private static void checkRetry(GateKey key, @Nullable TypePolicy demands) {
        String retry = demands == null || demands.defaults() == null
                ? null
                : demands.defaults().retry();
        if (retry != null) {
            try {
                RetryPolicy.parse(retry);
            } catch (IllegalArgumentException fault) {
                throw new IllegalArgumentException(
                        "policy of %s: default retry: %s; write %%20 for a space in policies"
                                .formatted(key, fault.getMessage()),
                        fault);
            }
        }
    }

    /** Whether what is asked for is set already: the other part of a type has an owner of its own. */
    static boolean isTaken(PolicyEntry before, GatePolicy asked) {
        TypePolicy stored = demands(before);
        TypePolicy wanted = asked.options().type();
        return stored != null && wanted != null && stored.sets(wanted);
    }

    /** A gate that no policy knows has no limits, so to require it would require nothing: most likely it is misspelt. */
    static void requireKnown(PolicyBook book, List<PolicyChange> changes) {
        if (changes.stream().noneMatch(TypePolicies::isNewDemand)) {
            return;
        }
        Set<GateKey> known = new HashSet<>(book.entries().keySet());
        for (PolicyChange change : changes) {
            if (change.after().isNothing()) {
                known.remove(change.key());
            } else {
                known.add(change.key());
            }
        }
        changes.stream().filter(TypePolicies::isNewDemand).forEach(change -> requireKnown(known, change));
    }

    /** An undo restores what was there, whatever has become of the gates. */
    private static boolean isNewDemand(PolicyChange change) {
        TypePolicy after = demands(change.after());
        return after != null
                && change.kind() == Kind.SET
                && !after.requires().isEmpty()
                && !after.requires()
                        .equals(Objects.requireNonNullElse(demands(change.before()), TypePolicy.NONE)
                                .requires());
    }

    private static @Nullable TypePolicy demands(PolicyEntry entry) {
        return entry.lasting().options().type();
    }

    private static void requireKnown(Set<GateKey> known, PolicyChange change) {
        List<String> gates = known.stream()
                .filter(name -> name.scope() == Scope.GATE)
                .map(GateKey::name)
                .sorted()
                .toList();
        for (String required : Objects.requireNonNull(demands(change.after())).requires()) {
            GateKey asked = GateKey.gate(required);
            boolean isKnown =
                    gates.stream().map(GateKey::gate).anyMatch(name -> name.covers(asked) || asked.covers(name));
            if (!isKnown) {
                throw new IllegalArgumentException(
                        "policy of %s: expected gates that have limits, found no policy for '%s'%s; store its limits first, or in the same change"
                                .formatted(change.key(), required, hint(gates)));
            }
        }
    }

    private static String hint(List<String> gates) {
        return gates.isEmpty() ? "" : " among " + String.join(", ", gates.subList(0, Math.min(10, gates.size())));
    }
}
