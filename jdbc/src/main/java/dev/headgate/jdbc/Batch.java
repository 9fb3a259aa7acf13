package dev.headgate.jdbc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One call of a statement file for many rows at once. */
final class Batch {
    private final Session session;
    private final SqlText text;
    private final Dialect dialect;
    private final Map<String, @Nullable Object> common = new HashMap<>();
    private final List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    private Map<String, @Nullable Object> current = common;

    Batch(Session session, SqlText text, Dialect dialect) {
        this.session = session;
        this.text = text;
        this.dialect = dialect;
    }

    /** Starts a row; what was set before the first row is common to all. */
    Batch row() {
        current = new LinkedHashMap<>();
        rows.add(current);
        return this;
    }

    Batch set(String name, @Nullable Long value) {
        current.put(name, value);
        return this;
    }

    Batch set(String name, long value) {
        current.put(name, value);
        return this;
    }

    /** A text column is marked as such also where the text is missing: a column of nothing else has a type too. */
    Batch set(String name, @Nullable String value) {
        current.put(name, value == null ? NoText.NO_TEXT : value);
        return this;
    }

    /** Writes them; where the way is long, with the next statement. */
    void run() {
        if (!rows.isEmpty()) {
            session.later(text, parameters());
        }
    }

    <T> List<T> list(Row.Mapper<T> mapper) {
        return rows.isEmpty() ? List.of() : session.query(text, parameters(), mapper);
    }

    /** Rows that nobody needs at once; where the way is long, they are asked for with the next statement. */
    <T> List<T> listLater(Row.Mapper<T> mapper) {
        return rows.isEmpty() ? List.of() : session.queryLater(text, parameters(), mapper);
    }

    private Map<String, @Nullable Object> parameters() {
        Map<String, @Nullable Object> parameters = new HashMap<>(dialect.rows(text.name(), rows));
        common.forEach((name, value) -> parameters.put(name, value == NoText.NO_TEXT ? null : value));
        return parameters;
    }
}
