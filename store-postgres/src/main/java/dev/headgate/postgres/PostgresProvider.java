package dev.headgate.postgres;

import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreProvider;
import dev.headgate.store.MigrationPlan;
import dev.headgate.store.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Opens {@code jdbc:postgresql:} URLs. */
public final class PostgresProvider implements StoreProvider {
    private final PostgresDialect dialect;

    public PostgresProvider() {
        this(new PostgresDialect());
    }

    /** @param dialect with the migrations that the program knows: for tests */
    PostgresProvider(PostgresDialect dialect) {
        this.dialect = dialect;
    }

    @Override
    public String scheme() {
        return "jdbc:postgresql:";
    }

    @Override
    public Backend open(String url) {
        return PostgresBackend.opened(url, null, null, dialect, false);
    }

    @Override
    public Backend open(String url, String listenUrl) {
        return PostgresBackend.open(url, listenUrl);
    }

    @Override
    public Backend openToRead(String url, @Nullable String listenUrl) {
        return PostgresBackend.opened(url, listenUrl, null, dialect, true);
    }

    @Override
    public boolean hasOtherTables(String url) {
        return onSchema(url, PostgresSchema::hasOtherTables);
    }

    @Override
    public MigrationPlan planMigration(String url) {
        return onSchema(url, PostgresSchema::plan);
    }

    @Override
    public MigrationPlan migrate(String url, boolean isForced, Consumer<MigrationPlan.Progress> listener) {
        return onSchema(url, (schema, connection) -> schema.migrate(connection, isForced, listener));
    }

    private interface Act<T> {
        T on(PostgresSchema schema, Connection connection) throws SQLException;
    }

    /** On one connection, which may lead through a pooler: all is done in one transaction. */
    private <T> T onSchema(String url, Act<T> act) {
        PostgresUrl.check(url);
        try (Connection connection = connect(url)) {
            connection.setAutoCommit(false);
            PostgresSettings settings = PostgresSettings.of(connection);
            connection.rollback();
            return act.on(new PostgresSchema(dialect.files(), settings), connection);
        } catch (SQLException failed) {
            throw new StoreUnavailableException(
                    "PostgreSQL %s: expected to be able to read and change Headgate's tables: %s"
                            .formatted(PostgresUrl.withoutSecrets(url), failed.getMessage()),
                    failed);
        }
    }

    private static Connection connect(String url) {
        try {
            return PostgresPool.connect(url);
        } catch (SQLException failed) {
            throw PostgresUrl.unreachable(url, failed);
        }
    }
}
