package dev.headgate.sqlite;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The little JSON that carries rows into SQLite: numbers, texts and nothing. */
final class JsonText {
    private static final String HEX = "0123456789abcdef";

    private final StringBuilder json = new StringBuilder(1024);

    void list(Collection<?> values) {
        json.append('[');
        String between = "";
        for (Object value : values) {
            json.append(between);
            value(value);
            between = ",";
        }
        json.append(']');
    }

    /** Each row as a list of these columns. */
    void rows(List<List<@Nullable Object>> columns, int rows) {
        json.append('[');
        for (int row = 0; row < rows; row++) {
            json.append(row == 0 ? "[" : ",[");
            String comma = "";
            for (List<@Nullable Object> column : columns) {
                json.append(comma);
                value(column.get(row));
                comma = ",";
            }
            json.append(']');
        }
        json.append(']');
    }

    private void value(@Nullable Object value) {
        if (value instanceof Long number) {
            json.append(number.longValue());
        } else if (value instanceof String text) {
            text(text);
        } else {
            json.append("null");
        }
    }

    private void text(String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append("\\u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
            } else {
                json.append(c);
            }
        }
        json.append('"');
    }

    @Override
    public String toString() {
        return json.toString();
    }
}
