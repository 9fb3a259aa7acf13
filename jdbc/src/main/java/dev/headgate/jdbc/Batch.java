package dev.headgate.jdbc;

import dev.headgate.spi.Pending;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One call of a statement file for many rows at once. Values are kept column by column, as they travel: a turn writes thousands
 * of them.
 */
final class Batch {
    private final Session session;
    private final SqlText text;
    private final Dialect dialect;
    private final Map<String, @Nullable Object> common = new HashMap<>();
    private final Map<String, List<@Nullable Object>> columns = new LinkedHashMap<>();
    private int rows;

    Batch(Session session, SqlText text, Dialect dialect) {
        this.session = session;
        this.text = text;
        this.dialect = dialect;
    }

    /** Starts a row, which has a value in each column; what was set before the first row is common to all. */
    Batch row() {
        rows++;
        return this;
    }

    Batch set(String name, @Nullable Long value) {
        return put(name, value);
    }

    Batch set(String name, long value) {
        return put(name, value);
    }

    /** A text column is marked as such also where the text is missing: a column of nothing else has a type too. */
    Batch set(String name, @Nullable String value) {
        return put(name, value == null ? NoText.NO_TEXT : value);
    }

    private Batch put(String name, @Nullable Object value) {
        if (rows == 0) {
            common.put(name, value);
        } else {
            columns.computeIfAbsent(name, column -> new ArrayList<>()).add(value);
        }
        return this;
    }

    /** Writes them; where the way is long, with the next statement. */
    void run() {
        if (rows > 0) {
            session.later(text, parameters());
        }
    }

    <T> List<T> list(Row.Mapper<T> mapper) {
        return rows == 0 ? List.of() : session.query(text, parameters(), mapper);
    }

    /** Rows that are not needed at once: from a remote database they come with the next statement. */
    <T> Pending<List<T>> listLater(Row.Mapper<T> mapper) {
        return rows == 0 ? Pending.of(List.of()) : session.queryLater(text, parameters(), mapper);
    }

    private Map<String, @Nullable Object> parameters() {
        columns.forEach((name, values) -> {
            if (values.size() != rows) {
                throw new IllegalStateException("%s.sql: column :%s has %d values in %d rows"
                        .formatted(text.name(), name, values.size(), rows));
            }
        });
        Map<String, @Nullable Object> parameters = new HashMap<>(dialect.rows(text.name(), columns, rows));
        common.forEach((name, value) -> parameters.put(name, value == NoText.NO_TEXT ? null : value));
        return parameters;
    }
}
