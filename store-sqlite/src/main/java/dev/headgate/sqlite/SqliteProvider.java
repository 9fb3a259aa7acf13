package dev.headgate.sqlite;

import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreProvider;
import dev.headgate.store.MigrationPlan;
import dev.headgate.store.StoreUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Opens {@code jdbc:sqlite:} URLs. */
public final class SqliteProvider implements StoreProvider {
    private final SqliteDialect dialect;

    public SqliteProvider() {
        this(new SqliteDialect());
    }

    /** @param dialect with the migrations that the program knows: for tests */
    SqliteProvider(SqliteDialect dialect) {
        this.dialect = dialect;
    }

    @Override
    public String scheme() {
        return SqliteFile.SCHEME;
    }

    @Override
    public Backend open(String url) {
        return SqliteBackend.open(url, dialect);
    }

    @Override
    public Backend openToRead(String url, @Nullable String listenUrl) {
        return listenUrl == null ? SqliteBackend.openToRead(url, dialect) : open(url, listenUrl);
    }

    @Override
    public boolean hasOtherTables(String url) {
        return new SqliteConnections(SqliteFile.of(url), dialect).hasOtherTables();
    }

    @Override
    public MigrationPlan planMigration(String url) {
        return new SqliteConnections(SqliteFile.of(url), dialect).plan();
    }

    @Override
    public MigrationPlan migrate(String url, boolean isForced, Consumer<MigrationPlan.Progress> listener) {
        SqliteFile file = SqliteFile.of(url);
        file.prepare();
        SqliteConnections connections = new SqliteConnections(file, dialect);
        try (Connection connection = connections.open()) {
            return connections.migrate(connection, isForced, listener);
        } catch (SQLException failed) {
            throw new StoreUnavailableException(
                    "SQLite store %s: %s".formatted(file.url(), failed.getMessage()), failed);
        }
    }
}
