package dev.headgate.postgres;

import dev.headgate.store.Backend;
import dev.headgate.store.MigrationPlan;
import dev.headgate.store.StoreProvider;
import dev.headgate.store.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;

/** Opens {@code jdbc:postgresql:} URLs. */
public final class PostgresProvider implements StoreProvider {
    @Override
    public String scheme() {
        return "jdbc:postgresql:";
    }

    @Override
    public Backend open(String url) {
        return PostgresBackend.open(url);
    }

    @Override
    public Backend open(String url, String listenUrl) {
        return PostgresBackend.open(url, listenUrl);
    }

    @Override
    public MigrationPlan planMigration(String url) {
        return onSchema(url, PostgresSchema::plan);
    }

    @Override
    public MigrationPlan migrate(String url, boolean isForced, Consumer<MigrationPlan.Progress> listener) {
        return onSchema(url, (schema, connection) -> schema.migrate(connection, isForced, listener));
    }

    private interface Act {
        MigrationPlan on(PostgresSchema schema, Connection connection) throws SQLException;
    }

    /** On one connection, which may lead through a pooler: all is done in one transaction. */
    private static MigrationPlan onSchema(String url, Act act) {
        PostgresUrl.check(url);
        try (Connection connection = PostgresPool.connect(url)) {
            connection.setAutoCommit(false);
            PostgresSettings settings = PostgresSettings.of(connection);
            connection.rollback();
            return act.on(new PostgresSchema(new PostgresDialect().files(), settings), connection);
        } catch (SQLException failed) {
            throw new StoreUnavailableException(
                    "PostgreSQL %s: expected to be able to read and change Headgate's tables: %s"
                            .formatted(PostgresUrl.withoutSecrets(url), failed.getMessage()),
                    failed);
        }
    }
}
