package dev.headgate.server.policy;

import dev.headgate.internal.json.JsonWriter;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.policy.PolicyEdit;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a file would change. Stored names that are not in the file stay, unless they are pruned.
 *
 * @param changes old and new policy by name; open means none
 * @param untouched how many stored names stay because the file does not mention them
 */
public record PolicyDiff(SortedMap<GateKey, Step> changes, long untouched) {
    /** From what to what. */
    public record Step(GatePolicy before, GatePolicy after) {}

    /**
     * What differs.
     *
     * @param isPruning whether stored names that are not wanted are taken away
     */
    public static PolicyDiff of(Map<GateKey, GatePolicy> stored, Map<GateKey, GatePolicy> wanted, boolean isPruning) {
        SortedMap<GateKey, Step> changes = new TreeMap<>();
        wanted.forEach((key, asked) -> {
            GatePolicy before = stored.getOrDefault(key, GatePolicy.OPEN);
            GatePolicy policy = asked.keepingRetentionOf(before);
            if (!before.equals(policy)) {
                changes.put(key, new Step(before, policy));
            }
        });
        List<GateKey> others =
                stored.keySet().stream().filter(key -> !wanted.containsKey(key)).toList();
        if (isPruning) {
            others.forEach(key ->
                    changes.put(key, new Step(stored.getOrDefault(key, GatePolicy.OPEN), GatePolicy.OPEN)));
        }
        return new PolicyDiff(changes, isPruning ? 0 : others.size());
    }

    public boolean isEmpty() {
        return changes.isEmpty();
    }

    /** For people. */
    public List<String> lines() {
        return changes.entrySet().stream()
                .map(change -> line(change.getKey(), change.getValue()))
                .toList();
    }

    private static String line(GateKey key, Step step) {
        if (step.before().isOpen()) {
            return "+ %s: %s".formatted(key, step.after().text());
        }
        return step.after().isOpen()
                ? "- %s: %s".formatted(key, step.before().text())
                : "~ %s: %s -> %s"
                        .formatted(key, step.before().text(), step.after().text());
    }

    /** For machines. */
    public List<JsonWriter> json() {
        return changes.entrySet().stream()
                .map(change -> JsonWriter.object()
                        .put("kind", change.getKey().scope().text())
                        .put("name", change.getKey().name())
                        .put("before", change.getValue().before().text())
                        .put("after", change.getValue().after().text()))
                .toList();
    }

    /** What makes it so. */
    public SortedMap<GateKey, PolicyEdit> edits() {
        SortedMap<GateKey, PolicyEdit> edits = new TreeMap<>();
        changes.forEach((key, step) ->
                edits.put(key, step.after().isOpen() ? new PolicyEdit.Remove() : new PolicyEdit.Replace(step.after())));
        return edits;
    }
}
