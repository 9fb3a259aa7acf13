package dev.headgate.server.api;

import dev.headgate.internal.json.JsonWriter;
import dev.headgate.limit.GateKey;
import dev.headgate.policy.PolicyChange;
import dev.headgate.policy.PolicyEntry;
import dev.headgate.policy.PolicyOverride;
import dev.headgate.policy.PolicyVersion;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Stored policies and their versions as JSON, for the HTTP API and the command line. */
public final class PolicyJson {
    private PolicyJson() {}

    /** What is stored under one name. */
    public static JsonWriter of(GateKey key, PolicyEntry entry) {
        PolicyOverride override = entry.override();
        return JsonWriter.object()
                .put("kind", key.scope().text())
                .put("name", key.name())
                .put("limits", parts(entry.lasting().text()))
                .put(
                        "override",
                        override == null
                                ? null
                                : JsonWriter.object()
                                        .put("limits", parts(override.policy().text()))
                                        .put("until", override.ends()));
    }

    private static List<String> parts(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split("; ", -1));
    }

    /** What holds for a name after its policy was removed, and under which name that is stored. */
    public static JsonWriter left(GateKey key, Map<GateKey, PolicyEntry> entries) {
        Optional<GateKey> cover = GateJson.cover(key, entries.keySet());
        return JsonWriter.object()
                .put("kind", key.scope().text())
                .put("name", key.name())
                .put(
                        "limits",
                        cover.map(name -> parts(entries.getOrDefault(name, PolicyEntry.NOTHING)
                                        .lasting()
                                        .text()))
                                .orElse(List.of()))
                .put("policy", cover.map(GateKey::name).orElse(null));
    }

    /** One version with its changes. */
    public static JsonWriter version(PolicyVersion version) {
        return JsonWriter.object()
                .put("version", version.version())
                .put("at", version.at())
                .put("author", version.author())
                .put("reason", version.reason())
                .put("changes", changes(version.changes()));
    }

    /** From what to what. */
    public static List<JsonWriter> changes(List<PolicyChange> changes) {
        return changes.stream()
                .map(change -> JsonWriter.object()
                        .put("kind", change.key().scope().text())
                        .put("name", change.key().name())
                        .put("change", change.kind())
                        .put("before", change.before().text())
                        .put("after", change.after().text()))
                .toList();
    }
}
