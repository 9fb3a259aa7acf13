package dev.headgate.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Where the connection comes from that listens.
 *
 * @param url a place of its own; absent if the connection comes from the store's data source
 */
record ListenSource(DataSource source, @Nullable String url) {
    ListenSource {
        if (url != null) {
            PostgresUrl.check(url);
        }
    }

    /** A connection that commits by itself. */
    Connection connect() throws SQLException {
        Connection connection = url == null ? source.getConnection() : PostgresPool.connect(url);
        connection.setAutoCommit(true);
        return connection;
    }

    boolean isElsewhere() {
        return url != null;
    }
}
