package dev.headgate.postgres;

import dev.headgate.jdbc.Dialect;
import dev.headgate.jdbc.Listed;
import dev.headgate.jdbc.NoText;
import dev.headgate.jdbc.SqlFiles;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** PostgreSQL is a round trip away: many rows travel as arrays in one statement. */
final class PostgresDialect implements Dialect {
    private final SqlFiles files;

    PostgresDialect() {
        this(new SqlFiles(PostgresDialect.class::getResourceAsStream));
    }

    PostgresDialect(SqlFiles files) {
        this.files = files;
    }

    @Override
    public SqlFiles files() {
        return files;
    }

    @Override
    public boolean isRemote() {
        return true;
    }

    @Override
    public Map<String, @Nullable Object> rows(String statement, Map<String, List<@Nullable Object>> columns, int rows) {
        Map<String, @Nullable Object> lists = new HashMap<>();
        columns.forEach((name, values) -> {
            boolean isText = values.getFirst() instanceof String || values.getFirst() == NoText.NO_TEXT;
            if (isText) {
                values.replaceAll(value -> value == NoText.NO_TEXT ? null : value);
            }
            lists.put(name, new Listed(values, isText));
        });
        return lists;
    }

    @Override
    public void bindList(PreparedStatement statement, int index, Collection<?> values, boolean isText)
            throws SQLException {
        // The driver knows the types of plain arrays; one that is made by name is looked up in its catalogue first.
        statement.setObject(index, isText ? values.toArray(String[]::new) : values.toArray(Long[]::new));
    }
}
