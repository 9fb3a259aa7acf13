package dev.headgate.postgres;

import dev.headgate.jdbc.Schema;
import dev.headgate.jdbc.SqlFiles;
import dev.headgate.store.MigrationPlan;
import dev.headgate.store.MigrationPlan.Progress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates or migrates the tables in the connection's own schema; what comes second waits and finds them done. */
final class PostgresSchema {
    private static final Logger LOG = LoggerFactory.getLogger(PostgresSchema.class);

    /** A quarter of what a server waits by default until it looks for transactions that wait for each other. */
    private static final int PATIENCE_MILLIS = 250;

    private final SqlFiles files;
    private final PostgresSettings settings;

    PostgresSchema(SqlFiles files, PostgresSettings settings) {
        this.files = files;
        this.settings = settings;
    }

    /** What there is to do; on a connection that does not commit by itself. */
    MigrationPlan plan(Connection connection) throws SQLException {
        try {
            return schema(connection).plan(connection);
        } finally {
            connection.rollback();
        }
    }

    /** Refuses what cannot be read as it is. */
    void requireReadable(Connection connection) throws SQLException {
        try {
            schema(connection).requireReadable(connection);
        } finally {
            connection.rollback();
        }
    }

    /** Whether the connection's own schema has tables of others. */
    boolean hasOtherTables(Connection connection) throws SQLException {
        try {
            return schema(connection).hasOtherTables(connection);
        } finally {
            connection.rollback();
        }
    }

    /**
     * Does it, in one transaction and for as long as it takes: nothing but the end of the connection ends it.
     *
     * @param isForced whether workers of an older version that run are cut off
     * @return what was done
     */
    MigrationPlan migrate(Connection connection, boolean isForced, Consumer<Progress> listener) throws SQLException {
        MigrationPlan found = plan(connection);
        if (found.isUpToDate()) {
            return found;
        }
        int timeout = connection.getNetworkTimeout();
        connection.setNetworkTimeout(Runnable::run, 0);
        try {
            enterAlone(connection, schema(connection).isShuttingOut(found));
            MigrationPlan done = schema(connection).migrate(connection, isForced, listener);
            connection.commit();
            if (done.from() > 0 && !done.isUpToDate()) {
                LOG.info("{}: its schema is now version {}, before {}", done.store(), done.to(), done.from());
            }
            return done;
        } catch (SQLException | RuntimeException failed) {
            connection.rollback();
            throw failed;
        } finally {
            connection.setNetworkTimeout(Runnable::run, timeout);
        }
    }

    private Schema schema(Connection connection) throws SQLException {
        return new Schema(
                files,
                "PostgreSQL "
                        + PostgresUrl.withoutSecrets(connection.getMetaData().getURL()));
    }

    /**
     * Alone with the policies, and if older programs are shut out with the versions too: a transaction that has looked at them is
     * over before they change, and the next one waits and sees what changed. Some look first and ask for the policies then, so
     * what waits for both at once would wait for itself. It gives way soon, long before the server looks for such a circle.
     */
    private void enterAlone(Connection connection, boolean isShuttingOut) throws SQLException {
        while (!tryEnterAlone(connection, isShuttingOut)) {
            connection.rollback();
        }
    }

    /** First what makes a transaction one of ours: then it waits for as long as another migration takes. */
    private boolean tryEnterAlone(Connection connection, boolean isShuttingOut) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(PostgresSettings.WRITING);
            try (PreparedStatement local =
                    connection.prepareStatement(settings.localForMigration().replace(":path", "?"))) {
                local.setString(1, settings.searchPath());
                local.execute();
            }
            statement.execute(files.read("session/enter_alone.sql"));
            if (isShuttingOut) {
                statement.execute("set local lock_timeout = " + PATIENCE_MILLIS);
                statement.execute("lock table headgate_meta in access exclusive mode");
                statement.execute("set local lock_timeout = 0");
            }
            return true;
        } catch (SQLException failed) {
            if (isShuttingOut && PostgresFailures.isConflict(failed)) {
                return false;
            }
            throw failed;
        }
    }
}
