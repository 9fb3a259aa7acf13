package dev.headgate.postgres;

import dev.headgate.jdbc.Dialect;
import dev.headgate.jdbc.SqlFiles;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;

/** PostgreSQL is a round trip away: many rows travel as arrays in one statement. */
final class PostgresDialect implements Dialect {
    private final SqlFiles files = new SqlFiles(PostgresDialect.class);

    @Override
    public SqlFiles files() {
        return files;
    }

    @Override
    public boolean isSetWise() {
        return true;
    }

    @Override
    public void bindList(PreparedStatement statement, int index, Collection<?> values, boolean isText)
            throws SQLException {
        Object[] array = isText ? values.toArray(String[]::new) : values.toArray(Long[]::new);
        statement.setArray(index, statement.getConnection().createArrayOf(isText ? "text" : "bigint", array));
    }
}
