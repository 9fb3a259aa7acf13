package dev.headgate.internal.json;

import java.util.List;
import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Stored JSON without the texts whose names say that they are secret: {@code {"Authorization":"…"}}. Numbers and flags
 * stay, because {@code maxTokens} is no secret; all texts below such a name go.
 *
 * <p>This hides secrets from view, it does not protect them: read access to the store shows them, and a secret under a
 * harmless name is shown.
 */
public final class Secrets {
    /** What stands in the place of a text that is not shown. */
    public static final String HIDDEN = "(hidden)";

    private static final List<String> NAMES = List.of(
            "authorization",
            "password",
            "passwd",
            "passphrase",
            "secret",
            "token",
            "apikey",
            "accesskey",
            "privatekey",
            "credential",
            "cookie");

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private Secrets() {}

    /** The same JSON with its secrets hidden; text that is none of JSON, or has nothing to hide, comes back as it was. */
    public static String hide(String json) {
        try {
            JsonNode stored = MAPPER.readTree(json);
            JsonNode shown = hide(stored);
            return shown.equals(stored) ? json : MAPPER.writeValueAsString(shown);
        } catch (JacksonException notJson) {
            return json;
        }
    }

    static JsonNode hide(JsonNode node) {
        return hide(node, false);
    }

    private static JsonNode hide(JsonNode node, boolean isSecret) {
        return switch (node) {
            case ObjectNode object -> {
                ObjectNode shown = object.objectNode();
                object.forEachEntry((name, value) -> shown.set(name, hide(value, isSecret || isSecret(name))));
                yield shown;
            }
            case ArrayNode array -> {
                ArrayNode shown = array.arrayNode();
                array.forEach(value -> shown.add(hide(value, isSecret)));
                yield shown;
            }
            default -> isSecret && node.isString() ? MAPPER.getNodeFactory().stringNode(HIDDEN) : node;
        };
    }

    private static boolean isSecret(String name) {
        String plain = name.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
        return NAMES.stream().anyMatch(plain::contains);
    }
}
