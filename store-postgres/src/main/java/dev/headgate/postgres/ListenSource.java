package dev.headgate.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Where the connection comes from that listens.
 *
 * <p>Design note: LISTEN belongs to a session of the server. Behind a pooler that gives sessions away it stays in one that
 * serves another client, and an UNLISTEN may reach a different one. So nothing listens through a pooler unless a URL to
 * listen at says so, and then only if the pooler is seen to keep sessions.
 *
 * @param url a place of its own; absent if the connection comes from the store's data source
 */
record ListenSource(DataSource source, @Nullable String url) {
    private static final String MEANWHILE = "workers find what other processes enqueue at their next look (pollEvery)";

    static final String NOT_THROUGH_A_POOLER =
            "expected a way to the server itself, found a pooler, which may lose notifications, so nothing listens there; %s; give a URL that leads to the server itself to listen at, or the same URL if the pooler is in session mode"
                    .formatted(MEANWHILE);

    /** Two connections take turns: true is the one that listens. No pooler that gives sessions away keeps up with all of it. */
    private static final boolean[] TURNS = {true, true, false, true, false, false, true, false, true, true};

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

    /**
     * Whether the pooler keeps a session for each connection, as far as can be seen without leaving anything in one: two
     * connections that take turns have each its own session, always the same. A pooler that gives sessions away gives the
     * one that came back last, or the next in a circle: then the two meet in one, or one meets another.
     */
    boolean keepsSessions(Connection connection) throws SQLException {
        if (url == null) {
            return false;
        }
        try (Connection other = connect()) {
            int mine = process(connection);
            int others = process(other);
            for (boolean isMine : TURNS) {
                if (mine == others || process(isMine ? connection : other) != (isMine ? mine : others)) {
                    return false;
                }
            }
            return true;
        }
    }

    private static int process(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery("select pg_backend_pid()")) {
            answer.next();
            return answer.getInt(1);
        }
    }

    /** Why nothing is heard there, most likely. */
    String whyDeaf(boolean isPooled) {
        if (isPooled && url == null) {
            return NOT_THROUGH_A_POOLER;
        }
        if (isPooled) {
            return "expected notifications at %s, and none arrive through the pooler there, which is in transaction mode; %s; give a URL that leads to the server itself to listen at"
                    .formatted(place(), MEANWHILE);
        }
        return "expected to hear at %s what this process sends to the store, heard nothing; most likely it leads to another database than the store's URL; %s; give a URL of the same database"
                .formatted(place(), MEANWHILE);
    }

    private String place() {
        return url == null ? "the store's URL" : "the URL to listen at";
    }
}
