package dev.headgate.server.api;

import dev.headgate.evidence.ChainProof;
import dev.headgate.internal.json.JsonWriter;
import dev.headgate.limit.GateKey;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What was proved, to be kept elsewhere than in the store. */
public final class CertificateJson {
    private static final String FORM = "headgate certificate 1";
    private static final String HASH = "[0-9a-f]{64}";

    private CertificateJson() {}

    /**
     * What a certificate says.
     *
     * @param at when it was made, in store time
     * @param ends the last row that it proves, of each gate
     */
    public record Content(String at, Map<GateKey, ChainProof.End> ends) {}

    /** A certificate with this content. */
    public static JsonWriter of(JsonWriter content) {
        return JsonWriter.object().put("form", FORM).putAll(content);
    }

    /** Reads one back; empty if the text is none. */
    public static Optional<Content> read(String text) {
        JsonNode root = JsonWriter.read(text);
        if (root == null || !root.path("form").asString("").equals(FORM)) {
            return Optional.empty();
        }
        Map<GateKey, ChainProof.End> ends = new TreeMap<>();
        for (JsonNode gate : root.path("gates")) {
            GateKey key = key(gate);
            long row = gate.path("chain").path("lastRow").asLong(-1);
            String hash = gate.path("chain").path("head").asString("");
            if (key == null || row < 0 || !(row == 0 ? hash.isEmpty() : hash.matches(HASH))) {
                return Optional.empty();
            }
            ends.put(key, new ChainProof.End(row, hash));
        }
        return Optional.of(new Content(root.path("at").asString(""), ends));
    }

    private static @Nullable GateKey key(JsonNode gate) {
        String name = gate.path("name").asString("");
        return switch (gate.path("kind").asString("")) {
            case "gate" -> name.isEmpty() ? null : GateKey.gate(name);
            case "queue" -> name.isEmpty() ? null : GateKey.queue(name);
            default -> null;
        };
    }
}
