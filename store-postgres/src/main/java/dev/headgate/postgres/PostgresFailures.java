package dev.headgate.postgres;

import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a PostgreSQL error code means for a transaction. */
final class PostgresFailures {
    private static final Set<String> CONFLICTS = Set.of("40001", "40P01", "55P03", "25P03");

    /** A write on a server that takes none, and on a standby the wish to write. */
    private static final Set<String> READ_ONLY = Set.of("25006", "0A000");

    private PostgresFailures() {}

    /** The transaction was rolled back for the sake of others, also because it paused for too long; the same again will do. */
    static boolean isConflict(SQLException failed) {
        return CONFLICTS.contains(orEmpty(failed.getSQLState()));
    }

    /** The connection is gone, the server is going down, or we talk to a standby: another connection may do. */
    static boolean isConnectionLost(SQLException failed) {
        String state = orEmpty(failed.getSQLState());
        return state.startsWith("08") || state.startsWith("57P") || READ_ONLY.contains(state);
    }

    /** The server takes no writes: nothing was written, and after a failover another connection may lead to one that does. */
    static boolean isReadOnly(SQLException failed) {
        return READ_ONLY.contains(orEmpty(failed.getSQLState()));
    }

    /** The tables of the store are not where the connection leads. */
    static boolean isTableMissing(SQLException failed) {
        return orEmpty(failed.getSQLState()).equals("42P01");
    }

    /** A statement that went by what was read without a lock divides by what it found, which was nothing. */
    static boolean isWrongGuess(SQLException failed) {
        return orEmpty(failed.getSQLState()).equals("22012");
    }

    /** Whether the server itself said no, so that nothing was written. */
    static boolean isRefused(SQLException failed) {
        return !orEmpty(failed.getSQLState()).isEmpty() && !isConnectionLost(failed);
    }

    private static String orEmpty(@Nullable String state) {
        return state == null ? "" : state;
    }
}
