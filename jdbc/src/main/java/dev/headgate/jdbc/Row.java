package dev.headgate.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One row, read from left to right: mapping follows the column list of the statement file. */
final class Row {
    private final ResultSet results;
    private int column;

    Row(ResultSet results) {
        this.results = results;
    }

    /** Reads one row into a value. */
    @FunctionalInterface
    interface Mapper<T> {
        T map(Row row) throws SQLException;
    }

    Row rewind() {
        column = 0;
        return this;
    }

    String text() throws SQLException {
        return Objects.requireNonNull(results.getString(++column), "column is declared not null");
    }

    @Nullable
    String textOrNull() throws SQLException {
        return results.getString(++column);
    }

    long number() throws SQLException {
        return results.getLong(++column);
    }

    int integer() throws SQLException {
        return results.getInt(++column);
    }

    @Nullable
    Long numberOrNull() throws SQLException {
        long value = results.getLong(++column);
        return results.wasNull() ? null : Long.valueOf(value);
    }

    boolean flag() throws SQLException {
        return results.getInt(++column) != 0;
    }
}
