package dev.headgate.jdbc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One call of a statement file for many rows. A set-wise database gets one statement with a list per column; one that
 * runs in this process gets one statement per row, which is as fast there and needs no arrays.
 */
final class Batch {
    private final Session session;
    private final SqlText text;
    private final boolean isSetWise;
    private final Map<String, @Nullable Object> common = new HashMap<>();
    private final List<Map<String, @Nullable Object>> rows = new ArrayList<>();
    private final Set<String> texts = new HashSet<>();
    private Map<String, @Nullable Object> current = common;

    Batch(Session session, SqlText text, boolean isSetWise) {
        this.session = session;
        this.text = text;
        this.isSetWise = isSetWise;
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

    Batch set(String name, @Nullable String value) {
        texts.add(name);
        current.put(name, value);
        return this;
    }

    void run() {
        if (rows.isEmpty()) {
            return;
        }
        if (isSetWise) {
            session.update(text, columns());
        } else {
            for (Map<String, @Nullable Object> row : rows) {
                session.update(text, merged(row));
            }
        }
    }

    <T> List<T> list(Row.Mapper<T> mapper) {
        if (rows.isEmpty()) {
            return List.of();
        }
        if (isSetWise) {
            return session.query(text, columns(), mapper);
        }
        List<T> found = new ArrayList<>();
        for (Map<String, @Nullable Object> row : rows) {
            found.addAll(session.query(text, merged(row), mapper));
        }
        return found;
    }

    private Map<String, @Nullable Object> merged(Map<String, @Nullable Object> row) {
        row.putAll(common);
        return row;
    }

    private Map<String, @Nullable Object> columns() {
        Map<String, @Nullable Object> columns = new HashMap<>(common);
        for (String name : rows.getFirst().keySet()) {
            List<@Nullable Object> values = new ArrayList<>(rows.size());
            for (Map<String, @Nullable Object> row : rows) {
                values.add(row.get(name));
            }
            columns.put(name, new Session.Listed(values, texts.contains(name)));
        }
        return columns;
    }
}
