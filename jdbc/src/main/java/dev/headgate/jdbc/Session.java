package dev.headgate.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Runs statement files on one connection. Not thread-safe, like its connection. */
public final class Session implements AutoCloseable {
    private final Connection connection;
    private final Dialect dialect;
    private final LongAdder counter;
    private final @Nullable Map<SqlText.Part, PreparedStatement> prepared;

    /**
     * @param isKeeping keep prepared statements open for the next use; for drivers that do not cache them, on a
     *     connection of our own
     */
    public Session(Connection connection, Dialect dialect, LongAdder counter, boolean isKeeping) {
        this.connection = connection;
        this.dialect = dialect;
        this.counter = counter;
        this.prepared = isKeeping ? new HashMap<>() : null;
    }

    public Connection connection() {
        return connection;
    }

    /** Starts a call of one statement file. */
    public Call call(String statement) {
        return new Call(this, dialect.files().statement(statement));
    }

    /** Starts a call of one statement file for many rows. */
    Batch batch(String statement) {
        return new Batch(this, dialect.files().statement(statement), dialect);
    }

    /** Runs all parts of a statement; the rows of the first part that has any are the answer. */
    <T> List<T> query(SqlText text, Map<String, @Nullable Object> values, Row.Mapper<T> mapper) {
        List<T> found = new ArrayList<>();
        each(text, values, statement -> {
            if (statement.execute()) {
                try (ResultSet results = statement.getResultSet()) {
                    Row row = new Row(results);
                    while (results.next()) {
                        found.add(mapper.map(row.rewind()));
                    }
                }
            }
        });
        return found;
    }

    /** Runs all parts of a statement; answers the count of the first. */
    int update(SqlText text, Map<String, @Nullable Object> values) {
        int[] count = {-1};
        each(text, values, statement -> {
            int changed = statement.executeUpdate();
            count[0] = count[0] < 0 ? changed : count[0];
        });
        return count[0];
    }

    private interface Use {
        void on(PreparedStatement statement) throws SQLException;
    }

    private void each(SqlText text, Map<String, @Nullable Object> values, Use use) {
        for (SqlText.Part part : text.parts()) {
            counter.increment();
            try {
                PreparedStatement statement = prepare(part);
                try {
                    bind(statement, text, part, values);
                    use.on(statement);
                } finally {
                    if (prepared == null) {
                        statement.close();
                    }
                }
            } catch (SQLException failed) {
                throw new SqlFailedException(text.name(), failed);
            }
        }
    }

    private PreparedStatement prepare(SqlText.Part part) throws SQLException {
        if (prepared == null) {
            return connection.prepareStatement(part.sql());
        }
        PreparedStatement kept = prepared.get(part);
        if (kept == null) {
            kept = connection.prepareStatement(part.sql());
            prepared.put(part, kept);
        }
        return kept;
    }

    private void bind(
            PreparedStatement statement, SqlText text, SqlText.Part part, Map<String, @Nullable Object> values)
            throws SQLException {
        int index = 0;
        for (String name : part.parameters()) {
            Object value = values.get(name);
            if (value == null && !values.containsKey(name)) {
                throw new IllegalStateException("%s.sql: parameter :%s was not set".formatted(text.name(), name));
            }
            bind(statement, ++index, value);
        }
    }

    private void bind(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
        switch (value) {
            case null -> statement.setNull(index, Types.NULL);
            case Long number -> statement.setLong(index, number);
            case String string -> statement.setString(index, string);
            case Listed listed -> dialect.bindList(statement, index, listed.values(), listed.isText());
            default -> throw new IllegalStateException("parameter of " + value.getClass());
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException failed) {
            throw new SqlFailedException("close", failed);
        }
    }
}
