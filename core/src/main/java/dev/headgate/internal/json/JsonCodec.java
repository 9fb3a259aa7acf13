package dev.headgate.internal.json;

import dev.headgate.internal.text.Text;
import dev.headgate.job.UnreadableJsonException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.ValueInstantiationException;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

/**
 * Turns payloads and results into JSON text and back. Thread-safe.
 *
 * <p>A property that the Java type does not know is ignored, so that a worker of the last release reads jobs of the
 * next one. No class name in a payload is ever followed. Text is limited in size and depth, because otherwise one
 * enqueue could exhaust a worker.
 */
public final class JsonCodec {
    /** The longest payload or result, in UTF-8 bytes. */
    public static final int BYTES_MAX = 256 * 1024;

    private static final int DEPTH_MAX = 200;
    private static final int NUMBER_LENGTH_MAX = 1_000;

    private final JsonMapper mapper;

    public JsonCodec() {
        StreamReadConstraints constraints = StreamReadConstraints.builder()
                .maxDocumentLength(BYTES_MAX)
                .maxStringLength(BYTES_MAX)
                .maxNestingDepth(DEPTH_MAX)
                .maxNumberLength(NUMBER_LENGTH_MAX)
                .build();
        JsonFactory factory = JsonFactory.builder()
                .streamReadConstraints(constraints)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
                .build();
        this.mapper = JsonMapper.builder(factory)
                .polymorphicTypeValidator(
                        BasicPolymorphicTypeValidator.builder().build())
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
    }

    /**
     * Writes a value as JSON text.
     *
     * @param what names the value in messages, such as {@code payload of 'send-invoice'}
     * @throws IllegalArgumentException if it cannot be written, or is too large
     */
    public String write(String what, @Nullable Object value) {
        String json;
        try {
            json = mapper.writeValueAsString(value);
        } catch (JacksonException unwritable) {
            throw new IllegalArgumentException(
                    "%s: expected a value that JSON can hold, got a %s: %s"
                            .formatted(
                                    what,
                                    value == null ? "null" : value.getClass().getName(),
                                    reason(unwritable)),
                    unwritable);
        }
        return checkText(what, json);
    }

    /** Like {@link #write}, for people and tools to read: of any length. */
    public String print(String what, Object value) {
        try {
            return mapper.writeValueAsString(value);
        } catch (JacksonException unwritable) {
            throw new IllegalArgumentException(
                    "%s: expected values that JSON can hold: %s".formatted(what, reason(unwritable)), unwritable);
        }
    }

    /** JSON text as a value that {@link #print} writes unchanged. */
    public Object tree(String json) {
        try {
            return mapper.readTree(json);
        } catch (JacksonException notJson) {
            return json;
        }
    }

    /** Checks JSON that came as text; returns it unchanged. */
    public String check(String what, String json) {
        checkText(what, json);
        try {
            if (mapper.readTree(json).isMissingNode()) {
                throw new IllegalArgumentException("%s: expected JSON text, got an empty one".formatted(what));
            }
        } catch (JacksonException notJson) {
            throw new IllegalArgumentException(
                    "%s: expected JSON text, got something else: %s".formatted(what, reason(notJson)), notJson);
        }
        return json;
    }

    /**
     * Reads a value back.
     *
     * @throws UnreadableJsonException if the text does not fit the type, or is {@code null}
     */
    public <T> T read(String what, String json, Class<T> type) {
        try {
            T value = mapper.readValue(json, type);
            if (value == null) {
                throw new UnreadableJsonException("%s: expected a %s, got null".formatted(what, type.getName()));
            }
            return value;
        } catch (JacksonException unfit) {
            throw new UnreadableJsonException(
                    "%s: does not fit %s: %s".formatted(what, type.getName(), reason(unfit)), unfit);
        }
    }

    /** Prepares reading values of this type, which takes time at first. Makes no value. */
    public void warmUp(Class<?> type) {
        mapper.readValue("null", type);
    }

    private static String checkText(String what, String json) {
        int bytes = utf8Length(what, json);
        if (bytes > BYTES_MAX) {
            throw new IllegalArgumentException(
                    "%s: expected at most %d bytes of JSON, got %d; keep large content elsewhere and pass where it is"
                            .formatted(what, BYTES_MAX, bytes));
        }
        return json;
    }

    private static int utf8Length(String what, String text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                bytes++;
            } else if (c < 0x800) {
                bytes += 2;
            } else if (!Character.isSurrogate(c)) {
                bytes += 3;
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                bytes += 4;
                i++;
            } else {
                throw new IllegalArgumentException(
                        "%s: expected well-formed Unicode, got half a surrogate pair at character %d"
                                .formatted(what, i));
            }
        }
        return (int) Math.min(Integer.MAX_VALUE, bytes);
    }

    /**
     * What is wrong and where, without the text itself: Jackson quotes it, and messages are logged and listed where
     * payloads are not.
     */
    private static String reason(JacksonException fault) {
        String said =
                switch (fault) {
                    case ValueInstantiationException own -> own.getOriginalMessage();
                    case MismatchedInputException unfit -> "expected %s at %s".formatted(kind(unfit), place(unfit));
                    case StreamConstraintsException beyond -> beyond.getOriginalMessage();
                    case StreamReadException unread -> "a fault at " + place(unread);
                    default -> fault.getOriginalMessage();
                };
        return Text.storable(String.valueOf(said), 500);
    }

    private static String kind(MismatchedInputException unfit) {
        Class<?> wanted = unfit.getTargetType();
        return wanted == null ? "something else" : "a " + wanted.getTypeName();
    }

    private static String place(JacksonException fault) {
        TokenStreamLocation at = fault.getLocation();
        String line =
                at == null ? "an unknown place" : "line %d, column %d".formatted(at.getLineNr(), at.getColumnNr());
        String path = fault.getPathReference();
        return path.isEmpty() ? line : "%s (%s)".formatted(line, path);
    }
}
