package dev.headgate.postgres;

import dev.headgate.jdbc.Schema;
import dev.headgate.jdbc.SqlFiles;
import dev.headgate.postgres.PostgresConnections.Lent;
import dev.headgate.store.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Creates or migrates the tables in the connection's own schema; whoever comes second waits and finds them done. */
final class PostgresSchema {
    private final SqlFiles files;

    PostgresSchema(SqlFiles files) {
        this.files = files;
    }

    void migrate(PostgresConnections connections) {
        try (Lent lent = connections.take()) {
            Connection connection = lent.connection();
            PostgresPool.bePatient(connection);
            try {
                Schema schema = new Schema(files);
                if (schema.found(connection) != Schema.version()) {
                    lockAlone(connection);
                    schema.migrate(connection);
                }
                connection.commit();
            } catch (SQLException | RuntimeException failed) {
                connection.rollback();
                throw failed;
            }
        } catch (SQLException failed) {
            throw new StoreUnavailableException(
                    "PostgreSQL: expected to be able to create Headgate's tables: " + failed.getMessage(), failed);
        }
    }

    private void lockAlone(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(files.read("session/enter_alone.sql"));
        }
    }
}
