package dev.headgate.internal.json;

import dev.headgate.job.Attributes;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Labels or headers as they are stored: a JSON object of texts, {@code {"team":"mail"}}, or nothing. */
public final class PairsText {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private PairsText() {}

    /** Absent if there are none, so that most jobs store nothing. */
    public static @Nullable String of(Map<String, String> pairs) {
        return pairs.isEmpty() ? null : json(pairs);
    }

    public static Attributes read(@Nullable String labels, @Nullable String headers) {
        return labels == null && headers == null ? Attributes.NONE : Attributes.of(pairs(labels), pairs(headers));
    }

    private static Map<String, String> pairs(@Nullable String text) {
        Map<String, String> pairs = new TreeMap<>();
        if (text != null) {
            JsonNode stored = MAPPER.readTree(text);
            stored.properties()
                    .forEach(pair -> pairs.put(pair.getKey(), pair.getValue().asString()));
        }
        return pairs;
    }

    /**
     * Each pair as it stands in the stored text of labels that have it, and in no other: within names and values quotes are escaped.
     */
    public static List<String> parts(Map<String, String> pairs) {
        return pairs.entrySet().stream()
                .map(pair -> json(Map.of(pair.getKey(), pair.getValue())))
                .map(object -> object.substring(1, object.length() - 1))
                .toList();
    }

    /** Headers as JSON text, without the values of those whose names say that they are secret. */
    public static String shown(Map<String, String> headers) {
        return Secrets.hide(json(headers));
    }

    /** Labels or headers as JSON text. */
    public static String json(Map<String, String> pairs) {
        return MAPPER.writeValueAsString(pairs);
    }
}
