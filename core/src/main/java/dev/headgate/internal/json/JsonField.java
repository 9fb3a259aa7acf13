package dev.headgate.internal.json;

import java.math.BigDecimal;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A field of a JSON document, compared with what a person has typed. */
public final class JsonField {
    private static final JsonMapper EXACT = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private JsonField() {}

    /** Whether the document has this value at this path; numbers are equal by their values, all else by its text. */
    public static boolean is(String json, List<String> path, String value) {
        JsonNode node;
        try {
            node = EXACT.readTree(json);
        } catch (JacksonException unreadable) {
            return false;
        }
        for (String name : path) {
            node = node.path(name);
        }
        if (node.isNumber()) {
            return isNumber(value, node.decimalValue());
        }
        if (node.isNull()) {
            return value.equals("null");
        }
        return !node.isMissingNode() && !node.isContainer() && value.equals(node.asString());
    }

    private static boolean isNumber(String text, BigDecimal number) {
        try {
            return new BigDecimal(text).compareTo(number) == 0;
        } catch (NumberFormatException noNumber) {
            return false;
        }
    }
}
