package dev.headgate.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.headgate.store.StoreRefusedException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connections of one store: the one that is kept for heartbeats, and all others, which are taken for one transaction
 * and given back.
 *
 * <p>Design note: poolers. Behind a pooler that gives a server's session away between two transactions, nothing may be
 * left in a session: no setting, no prepared statement, no LISTEN. Such a pooler is found by the number of the server's
 * process: the pooler answers the greeting with a number of its own. Whether it keeps sessions for longer than a
 * transaction cannot be asked, so every pooler is taken for one that does not.
 */
final class PostgresConnections implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresConnections.class);
    private static final int ANSWER_SECONDS = 2;

    /** What one worker uses at once when it is busy, besides the connections that are kept. */
    private static final int BUSY = 5;

    private final DataSource source;
    private final Setup setup;
    private final ReentrantLock keeping = new ReentrantLock();
    private @Nullable Connection kept;

    /**
     * How connections are to be treated.
     *
     * @param isOurs whether the pool is our own, with the settings that a queue wants
     * @param isPooled whether a pooler stands between us and the server
     * @param isListening whether one of them listens: not where it has a URL of its own, nor through a pooler
     * @param settings what our transactions rely on
     */
    record Setup(boolean isOurs, boolean isPooled, boolean isListening, PostgresSettings settings) {
        static Setup of(boolean isOurs, boolean isPooled, @Nullable String listenUrl, PostgresSettings settings) {
            return new Setup(isOurs, isPooled, listenUrl == null && !isPooled, settings);
        }
    }

    PostgresConnections(DataSource source, Setup setup) {
        this.source = source;
        this.setup = setup;
    }

    /** A connection that was taken; to close it gives it back as it was. */
    final class Lent implements AutoCloseable {
        private final Connection connection;
        private final boolean isKept;
        private final int threshold;
        private final int timeout;
        private boolean isBroken;

        private Lent(Connection connection, boolean isKept) throws SQLException {
            this.connection = connection;
            this.isKept = isKept;
            this.threshold = nameNoStatements(connection);
            this.timeout = setup.isOurs() ? 0 : connection.getNetworkTimeout();
            if (!setup.isOurs()) {
                PostgresPool.beBounded(connection);
            }
        }

        Connection connection() {
            return connection;
        }

        /** It leads nowhere any more: not to be kept. */
        void giveUp() {
            isBroken = true;
        }

        @Override
        public void close() throws SQLException {
            try {
                restoreNaming(connection, threshold);
                restoreTimeout();
            } finally {
                if (isKept) {
                    putBack(connection, isBroken);
                } else {
                    connection.close();
                }
            }
        }

        /** One that is gone needs it no more, and what was committed on it stays committed. */
        private void restoreTimeout() {
            if (setup.isOurs()) {
                return;
            }
            try {
                connection.setNetworkTimeout(Runnable::run, timeout);
            } catch (SQLException gone) {
                LOG.debug("PostgreSQL: a connection of the data source was gone when it was given back", gone);
            }
        }
    }

    /** Takes a connection for one transaction. */
    Lent take() throws SQLException {
        return lend(source.getConnection(), false);
    }

    private Lent lend(Connection connection, boolean isKept) throws SQLException {
        try {
            if (connection.getAutoCommit()) {
                connection.setAutoCommit(false);
            }
            return new Lent(connection, isKept);
        } catch (SQLException unusable) {
            connection.close();
            throw unusable;
        }
    }

    /** Takes the connection that is kept for heartbeats, and waits for the heartbeat that has it. */
    Lent takeKept() throws SQLException {
        keeping.lock();
        try {
            Connection connection = kept;
            if (connection == null || !isAlive(connection)) {
                discard();
                requireSize();
                connection = source.getConnection();
                kept = connection;
            }
            return lend(connection, true);
        } catch (SQLException | RuntimeException failed) {
            discard();
            keeping.unlock();
            throw failed;
        }
    }

    private void putBack(Connection connection, boolean isBroken) {
        try {
            connection.rollback();
            if (isBroken) {
                discard();
            }
        } catch (SQLException broken) {
            discard();
        } finally {
            keeping.unlock();
        }
    }

    private static boolean isAlive(Connection connection) {
        try {
            connection.setAutoCommit(true);
            return connection.isValid(ANSWER_SECONDS);
        } catch (SQLException broken) {
            return false;
        }
    }

    private void discard() {
        Connection old = kept;
        kept = null;
        if (old != null) {
            try {
                old.close();
            } catch (SQLException alreadyGone) {
                LOG.debug("PostgreSQL: the connection of the heartbeats was gone already", alreadyGone);
            }
        }
    }

    /**
     * A worker on a pool that is too small would wait for connections that the worker itself holds.
     *
     * @throws StoreRefusedException with the figures
     */
    private void requireSize() throws SQLException {
        HikariDataSource hikari =
                source.isWrapperFor(HikariDataSource.class) ? source.unwrap(HikariDataSource.class) : null;
        if (hikari == null || setup.isOurs()) {
            return;
        }
        int size = hikari.getMaximumPoolSize();
        int held = setup.isListening() ? 2 : 1;
        if (size < held + 1) {
            throw new StoreRefusedException(
                    "pool '%s': expected at least %d connections for a worker (%s, and one or more for everything else), got a maximum of %d; raise maximumPoolSize to %d and what the application needs"
                            .formatted(hikari.getPoolName(), held + 1, holders(), size, held + BUSY));
        }
        if (size < held + BUSY) {
            LOG.warn(
                    "pool '{}': a busy worker uses up to {} connections ({}, {} for everything else), and the pool has {}; it works, but turns may wait for connections",
                    hikari.getPoolName(),
                    held + BUSY,
                    holders(),
                    BUSY,
                    size);
        }
    }

    private String holders() {
        return setup.isListening() ? "one for heartbeats, one that listens" : "one for heartbeats";
    }

    /** Whether a pooler stands between us and the server. */
    boolean isPooled() {
        return setup.isPooled();
    }

    PostgresSettings settings() {
        return setup.settings();
    }

    /**
     * Lets the driver name no statements on this connection, if a pooler might give the server's session away.
     *
     * @return what to tell {@link #restoreNaming} afterwards
     */
    int nameNoStatements(Connection connection) throws SQLException {
        // Our own pool does so by itself, unless the URL says otherwise.
        if (!setup.isPooled() || setup.isOurs() || !connection.isWrapperFor(PGConnection.class)) {
            return 0;
        }
        PGConnection postgres = connection.unwrap(PGConnection.class);
        int threshold = postgres.getPrepareThreshold();
        postgres.setPrepareThreshold(0);
        return threshold;
    }

    void restoreNaming(Connection connection, int threshold) throws SQLException {
        if (threshold != 0) {
            connection.unwrap(PGConnection.class).setPrepareThreshold(threshold);
        }
    }

    /** The number in the server's greeting is that of the process that runs the statements, unless a pooler greeted. */
    static boolean isPooled(Connection connection) throws SQLException {
        if (!connection.isWrapperFor(PGConnection.class)) {
            return false;
        }
        PGConnection postgres = connection.unwrap(PGConnection.class);
        int threshold = postgres.getPrepareThreshold();
        postgres.setPrepareThreshold(0);
        try (Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery("select pg_backend_pid()")) {
            boolean isPooled = !answer.next() || answer.getInt(1) != postgres.getBackendPID();
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            return isPooled;
        } finally {
            postgres.setPrepareThreshold(threshold);
        }
    }

    @Override
    public void close() {
        keeping.lock();
        try {
            discard();
        } finally {
            keeping.unlock();
        }
    }
}
