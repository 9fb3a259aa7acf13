package dev.headgate.internal.json;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.TreeMap;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A dedup key made of a job type and a payload. Payloads that mean the same have the same key: the order of fields, white space and
 * the way a number or a character is written do not count, so a Java program and a command line make the same key.
 */
public final class ContentKey {
    private static final String PREFIX = "content:";

    /** Reads decimals exactly: as doubles, two long numbers that differ could look alike. */
    private static final JsonMapper EXACT = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxStringLength(JsonCodec.BYTES_MAX)
                            .build())
                    .build())
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private ContentKey() {}

    /** The key of this payload, which was checked. */
    public static String of(String type, String json) {
        StringBuilder text = new StringBuilder(json.length() + type.length() + 8);
        text.append(type.length()).append(':').append(type);
        write(EXACT.readTree(json), text);
        byte[] digest = sha256().digest(text.toString().getBytes(StandardCharsets.UTF_8));
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    }

    private static void write(JsonNode node, StringBuilder text) {
        if (node.isObject()) {
            TreeMap<String, JsonNode> fields = new TreeMap<>();
            node.forEachEntry(fields::put);
            text.append('{');
            fields.forEach((name, value) -> {
                text.append(EXACT.writeValueAsString(name)).append(':');
                write(value, text);
                text.append(',');
            });
            text.append('}');
        } else if (node.isArray()) {
            text.append('[');
            node.forEach(element -> {
                write(element, text);
                text.append(',');
            });
            text.append(']');
        } else if (node.isNumber()) {
            BigDecimal number = node.decimalValue();
            text.append(number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros());
        } else {
            text.append(EXACT.writeValueAsString(node));
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("every Java platform has SHA-256", missing);
        }
    }
}
