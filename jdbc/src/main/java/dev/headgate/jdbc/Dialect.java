package dev.headgate.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;

/** What differs between databases beyond the SQL files. */
public interface Dialect {
    /** The database's SQL files. */
    SqlFiles files();

    /** Whether many rows travel as arrays in one statement; otherwise a statement runs once per row. */
    boolean isSetWise();

    /** Binds a list of texts or numbers to one parameter. */
    void bindList(PreparedStatement statement, int index, Collection<?> values, boolean isText) throws SQLException;
}
