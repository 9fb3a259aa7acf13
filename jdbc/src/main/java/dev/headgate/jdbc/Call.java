package dev.headgate.jdbc;

import dev.headgate.spi.Pending;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One call of a statement file, with its parameters by name. */
public final class Call {
    private final Session session;
    private final SqlText text;
    private final Map<String, @Nullable Object> values = new HashMap<>();

    Call(Session session, SqlText text) {
        this.session = session;
        this.text = text;
    }

    public Call set(String name, @Nullable Long value) {
        values.put(name, value);
        return this;
    }

    public Call set(String name, long value) {
        values.put(name, value);
        return this;
    }

    public Call set(String name, @Nullable String value) {
        values.put(name, value);
        return this;
    }

    Call setTexts(String name, Collection<String> list) {
        values.put(name, new Listed(list, true));
        return this;
    }

    Call setNumbers(String name, Collection<Long> list) {
        values.put(name, new Listed(list, false));
        return this;
    }

    public int update() {
        return session.update(text, values);
    }

    /** An update whose count is not needed; with a remote database it travels with the next statement. */
    void later() {
        session.later(text, values);
    }

    <T> List<T> list(Row.Mapper<T> mapper) {
        return session.query(text, values, mapper);
    }

    /** Rows that are not needed at once: from a remote database they come with the next statement. */
    <T> Pending<List<T>> listLater(Row.Mapper<T> mapper) {
        return session.queryLater(text, values, mapper);
    }

    <T> @Nullable T first(Row.Mapper<T> mapper) {
        List<T> found = list(mapper);
        return found.isEmpty() ? null : found.getFirst();
    }

    /** The single number of a single row; absent if it is null. */
    @Nullable
    Long number() {
        Optional<Long> found = first(row -> Optional.ofNullable(row.numberOrNull()));
        return found == null ? null : found.orElse(null);
    }
}
