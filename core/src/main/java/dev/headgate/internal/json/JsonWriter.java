package dev.headgate.internal.json;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.RawValue;

/**
 * Output for machines: one document on one line, instants as ISO text, spans as milliseconds. Pure ASCII, so that
 * neither the locale nor a stored escape sequence can spoil it.
 */
public final class JsonWriter {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private final Map<String, @Nullable Object> fields = new LinkedHashMap<>();

    private JsonWriter() {}

    /** An object to fill; fields come out in the order they went in. */
    public static JsonWriter object() {
        return new JsonWriter();
    }

    /** Adds a field; absent values become {@code null}, so that a shape is always complete. */
    public JsonWriter put(String name, @Nullable Object value) {
        fields.put(name, plain(value));
        return this;
    }

    /** Adds all fields of another object. */
    public JsonWriter putAll(JsonWriter other) {
        fields.putAll(other.fields);
        return this;
    }

    /** Reads a document; absent if the text is not JSON. */
    public static @Nullable JsonNode read(String text) {
        try {
            return MAPPER.readTree(text);
        } catch (JacksonException notJson) {
            return null;
        }
    }

    /** Stored JSON text as the value it stands for, or as text if it is not JSON after all. */
    public JsonWriter putJson(String name, @Nullable String json) {
        if (json == null) {
            return put(name, null);
        }
        try {
            fields.put(name, MAPPER.readTree(json));
        } catch (JacksonException notJson) {
            fields.put(name, json);
        }
        return this;
    }

    /** Stored JSON text as it is, byte for byte. */
    public JsonWriter putRaw(String name, @Nullable String json) {
        fields.put(name, json == null ? null : new RawValue(json));
        return this;
    }

    private static @Nullable Object plain(@Nullable Object value) {
        return switch (value) {
            case Instant instant -> instant.toString();
            case Duration span -> span.toMillis();
            case Enum<?> constant -> constant.name().toLowerCase(Locale.ROOT);
            case Iterable<?> many -> {
                List<@Nullable Object> list = new ArrayList<>();
                many.forEach(one -> list.add(plain(one)));
                yield list;
            }
            case JsonWriter object -> object.fields;
            case null -> null;
            default -> value;
        };
    }

    /** The document with the {@linkplain Secrets secrets} of stored JSON hidden. */
    public String withoutSecrets() {
        return MAPPER.writeValueAsString(hidden(fields));
    }

    private static @Nullable Object hidden(@Nullable Object value) {
        return switch (value) {
            case JsonNode stored -> Secrets.hide(stored);
            case Map<?, ?> object -> {
                Map<Object, @Nullable Object> shown = new LinkedHashMap<>();
                object.forEach((name, field) -> shown.put(name, hidden(field)));
                yield shown;
            }
            case List<?> many -> {
                List<@Nullable Object> shown = new ArrayList<>();
                many.forEach(one -> shown.add(hidden(one)));
                yield shown;
            }
            case null -> null;
            default -> value;
        };
    }

    @Override
    public String toString() {
        return MAPPER.writeValueAsString(fields);
    }
}
