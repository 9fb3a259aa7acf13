package dev.headgate.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What differs between databases beyond the SQL files. */
public interface Dialect {
    /** The database's SQL files. */
    SqlFiles files();

    /** Whether each question costs a round trip, so that several are better asked at once. */
    boolean isRemote();

    /** Binds a list of texts or numbers to one parameter. */
    void bindList(PreparedStatement statement, int index, Collection<?> values, boolean isText) throws SQLException;

    /**
     * Turns rows into the parameters that the database's statement files read them from: one list per column, or all
     * rows in one.
     *
     * @param statement the name of the file that reads them
     * @param columns the values of each column, as many as there are rows
     */
    Map<String, @Nullable Object> rows(String statement, Map<String, List<@Nullable Object>> columns, int rows);
}
