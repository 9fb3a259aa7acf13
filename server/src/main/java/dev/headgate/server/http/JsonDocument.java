package dev.headgate.server.http;

import dev.headgate.limit.Spans;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A JSON object that was sent, read strictly: an unknown field, a field twice, trailing text or a value of a wrong kind is a
 * problem. Of each field the very text is kept, so that a payload goes into the store byte for byte.
 */
public final class JsonDocument {
    private static final int DEPTH_MAX = 200;
    private static final int NUMBER_LENGTH_MAX = 1_000;
    private static final int TEXT_MAX = 4 * 1024 * 1024;

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxDocumentLength(TEXT_MAX)
                            .maxStringLength(TEXT_MAX)
                            .maxNestingDepth(DEPTH_MAX)
                            .maxNumberLength(NUMBER_LENGTH_MAX)
                            .build())
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private final Map<String, Field> fields;

    private record Field(String name, String json) {}

    private JsonDocument(Map<String, Field> fields) {
        this.fields = fields;
    }

    /**
     * Reads an object.
     *
     * @param known the fields that are expected
     */
    public static JsonDocument parse(String text, Set<String> known) {
        return readObject(text, known);
    }

    /** Reads an object whose fields may have any names. */
    public static JsonDocument parseAny(String text) {
        return readObject(text, null);
    }

    private static JsonDocument readObject(String text, @Nullable Set<String> known) {
        Map<String, Field> fields = new LinkedHashMap<>();
        try (JsonParser parser = MAPPER.createParser(text)) {
            JsonToken first = parser.nextToken();
            if (first != JsonToken.START_OBJECT) {
                throw new ProblemException(
                        Problem.BAD_JSON,
                        "expected a JSON object, got %s".formatted(first == null ? "nothing" : kind(first)));
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                if (known != null && !known.contains(name)) {
                    throw new ProblemException(
                            Problem.BAD_FIELD,
                            "unknown field '%s'; expected %s"
                                    .formatted(shortened(name), known.isEmpty() ? "none" : String.join(", ", known)));
                }
                parser.nextToken();
                int start = (int) parser.currentTokenLocation().getCharOffset();
                parser.skipChildren();
                parser.finishToken();
                int end = (int) parser.currentLocation().getCharOffset();
                fields.put(name, new Field(name, text.substring(start, end).strip()));
            }
            if (parser.nextToken() != null) {
                throw new ProblemException(Problem.BAD_JSON, "expected one JSON object, got more text behind it");
            }
        } catch (JacksonException notJson) {
            throw badJson(notJson);
        }
        return new JsonDocument(fields);
    }

    /** The same object with each letter as itself, where it stood as an escape. */
    public static String unescaped(String json) {
        parseAny(json);
        return MAPPER.writeValueAsString(MAPPER.readTree(json));
    }

    /** Where it is wrong, and not what stands there: a message may be logged, a payload must not be. */
    private static ProblemException badJson(JacksonException notJson) {
        String place = notJson.getLocation() == null
                ? ""
                : " at line %d, column %d"
                        .formatted(
                                notJson.getLocation().getLineNr(),
                                notJson.getLocation().getColumnNr());
        String reason = notJson instanceof StreamReadException
                        && String.valueOf(notJson.getOriginalMessage()).startsWith("Duplicate")
                ? "a field is there twice"
                : notJson instanceof tools.jackson.core.exc.StreamConstraintsException
                        ? String.valueOf(notJson.getOriginalMessage())
                        : "a fault";
        return new ProblemException(Problem.BAD_JSON, "expected JSON, got %s%s".formatted(reason, place));
    }

    public boolean has(String name) {
        Field field = fields.get(name);
        return field != null && !field.json().equals("null");
    }

    /** The fields that were sent. */
    public Set<String> names() {
        return fields.keySet();
    }

    /** The very text of a field, as it was sent. */
    public String raw(String name, String missing) {
        Field field = fields.get(name);
        return field == null ? missing : field.json();
    }

    /** A text that must be there. */
    public String text(String name) {
        return needed(name, textOrNull(name));
    }

    public @Nullable String textOrNull(String name) {
        JsonNode node = node(name);
        if (node == null) {
            return null;
        }
        if (!node.isString()) {
            throw wrong(name, "a text", node);
        }
        return node.asString();
    }

    public long number(String name) {
        return needed(name, numberOrNull(name));
    }

    public @Nullable Long numberOrNull(String name) {
        JsonNode node = node(name);
        return node == null ? null : number(name, node);
    }

    public int integer(String name) {
        long number = number(name);
        if (number != (int) number) {
            throw new ProblemException(
                    Problem.BAD_FIELD, "field '%s': expected a smaller number, got %d".formatted(name, number));
        }
        return (int) number;
    }

    private static long number(String name, JsonNode node) {
        if (!node.isIntegralNumber() || !node.canConvertToLong()) {
            throw wrong(name, "a whole number", node);
        }
        return node.asLong();
    }

    public boolean flag(String name) {
        JsonNode node = node(name);
        if (node != null && !node.isBoolean()) {
            throw wrong(name, "true or false", node);
        }
        return node != null && node.asBoolean();
    }

    public List<String> texts(String name) {
        return each(name, "a list of texts", node -> {
            if (!node.isString()) {
                throw wrong(name, "a list of texts", node);
            }
            return node.asString();
        });
    }

    /** An object of texts, by their names. */
    public Map<String, String> pairs(String name) {
        if (!has(name)) {
            return Map.of();
        }
        JsonNode node = node(name);
        if (node == null || !node.isObject()) {
            throw wrong(name, "an object of texts", MAPPER.readTree(raw(name, "null")));
        }
        Map<String, String> pairs = new LinkedHashMap<>();
        node.forEachEntry((key, value) -> {
            if (!value.isString()) {
                throw wrong(name, "an object of texts", value);
            }
            pairs.put(key, value.asString());
        });
        return pairs;
    }

    public List<Long> numbers(String name) {
        return each(name, "a list of whole numbers", node -> number(name, node));
    }

    /** Whether the field is a text, where a number is allowed, too. */
    public boolean isText(String name) {
        JsonNode node = node(name);
        return node != null && node.isString();
    }

    /** A span such as {@code 30s} or {@code 5m}. */
    public @Nullable Duration spanOrNull(String name) {
        String text = textOrNull(name);
        return text == null ? null : read(name, () -> Spans.parse(text));
    }

    /** An instant such as {@code 2030-01-31T09:00:00Z}. */
    public @Nullable Instant instantOrNull(String name) {
        String text = textOrNull(name);
        if (text == null) {
            return null;
        }
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException unreadable) {
            throw new ProblemException(
                    Problem.BAD_FIELD,
                    "field '%s': expected an instant such as 2030-01-31T09:00:00Z, got '%s'"
                            .formatted(name, shortened(text)));
        }
    }

    /** The objects in a list, as the texts that they were sent as. */
    public List<String> objects(String name) {
        Field field = fields.get(name);
        if (field == null) {
            return List.of();
        }
        List<String> objects = new ArrayList<>();
        String json = field.json();
        try (JsonParser parser = MAPPER.createParser(json)) {
            if (parser.nextToken() != JsonToken.START_ARRAY) {
                throw new ProblemException(Problem.BAD_FIELD, "field '%s': expected a list of objects".formatted(name));
            }
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                int start = (int) parser.currentTokenLocation().getCharOffset();
                parser.skipChildren();
                parser.finishToken();
                objects.add(json.substring(start, (int) parser.currentLocation().getCharOffset()));
            }
        } catch (JacksonException notJson) {
            throw badJson(notJson);
        }
        return objects;
    }

    private <T> List<T> each(String name, String expected, Function<JsonNode, T> reader) {
        JsonNode node = node(name);
        if (node == null) {
            return List.of();
        }
        if (!node.isArray()) {
            throw wrong(name, expected, node);
        }
        List<T> list = new ArrayList<>();
        node.forEach(one -> list.add(reader.apply(one)));
        return list;
    }

    /** What a reader of our own says about a value, with the name of its field. */
    public static <T> T read(String name, java.util.function.Supplier<T> reader) {
        try {
            return reader.get();
        } catch (IllegalArgumentException unreadable) {
            throw new ProblemException(Problem.BAD_FIELD, "field '%s': %s".formatted(name, unreadable.getMessage()));
        }
    }

    private @Nullable JsonNode node(String name) {
        Field field = fields.get(name);
        if (field == null) {
            return null;
        }
        JsonNode node = MAPPER.readTree(field.json());
        return node.isNull() ? null : node;
    }

    private static <T> T needed(String name, @Nullable T value) {
        if (value == null) {
            throw new ProblemException(Problem.BAD_FIELD, "field '%s': expected a value, got none".formatted(name));
        }
        return value;
    }

    private static ProblemException wrong(String name, String expected, JsonNode got) {
        return new ProblemException(
                Problem.BAD_FIELD,
                "field '%s': expected %s, got %s"
                        .formatted(name, expected, got.getNodeType().name().toLowerCase(Locale.ROOT)));
    }

    private static String kind(JsonToken token) {
        return token.name().toLowerCase(Locale.ROOT).replace("value_", "").replace("start_", "");
    }

    private static String shortened(String text) {
        return text.length() > 100 ? text.substring(0, 100) + "…" : text;
    }
}
