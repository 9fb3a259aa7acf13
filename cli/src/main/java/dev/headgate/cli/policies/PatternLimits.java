package dev.headgate.cli.policies;

import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import dev.headgate.server.api.GateJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A policy under an exact name replaces that of the pattern, so limits of the pattern that it does not repeat hold no more. */
public final class PatternLimits {
    private PatternLimits() {}

    /**
     * Says which limits of a pattern do not hold for this name if it has this policy of its own; empty if it has a limit of each kind that the pattern
     * has.
     */
    public static Optional<String> dropped(GateKey key, GatePolicy own, Map<GateKey, GatePolicy> stored) {
        List<GateKey> others =
                stored.keySet().stream().filter(name -> !name.equals(key)).toList();
        return GateJson.cover(key, others)
                .flatMap(pattern -> dropped(key, own, pattern, Objects.requireNonNull(stored.get(pattern))));
    }

    private static Optional<String> dropped(GateKey key, GatePolicy own, GateKey pattern, GatePolicy covering) {
        List<String> dropped = covering.limits().stream()
                .filter(limit -> own.limits().stream().noneMatch(kept -> kept.getClass() == limit.getClass()))
                .map(Limit::text)
                .toList();
        if (dropped.isEmpty()) {
            return Optional.empty();
        }
        List<String> all = new ArrayList<>(dropped);
        all.add(own.text());
        return Optional.of(
                "%s: its own policy replaces that of '%s', so %s %s not hold for it; to keep %s: %s set %s \"%s\""
                        .formatted(
                                key,
                                pattern.name(),
                                String.join(" and ", dropped),
                                dropped.size() == 1 ? "does" : "do",
                                dropped.size() == 1 ? "it" : "them",
                                key.scope().text(),
                                key.name(),
                                String.join("; ", all)));
    }
}
