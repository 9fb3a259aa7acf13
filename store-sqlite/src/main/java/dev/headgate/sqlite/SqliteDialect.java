package dev.headgate.sqlite;

import dev.headgate.jdbc.Dialect;
import dev.headgate.jdbc.SqlFiles;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;

/** SQLite runs in this process: a statement per row costs no round trip, and lists travel as JSON text. */
final class SqliteDialect implements Dialect {
    private final SqlFiles files = new SqlFiles(SqliteDialect.class);

    @Override
    public SqlFiles files() {
        return files;
    }

    @Override
    public boolean isSetWise() {
        return false;
    }

    @Override
    public void bindList(PreparedStatement statement, int index, Collection<?> values, boolean isText)
            throws SQLException {
        StringBuilder json = new StringBuilder("[");
        for (Object value : values) {
            if (json.length() > 1) {
                json.append(',');
            }
            if (isText) {
                quote(json, String.valueOf(value));
            } else {
                json.append(value);
            }
        }
        statement.setString(index, json.append(']').toString());
    }

    /** Names hold no control characters, so quotes and backslashes are all there is to escape. */
    private static void quote(StringBuilder json, String text) {
        json.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\');
            }
            json.append(c);
        }
        json.append('"');
    }
}
