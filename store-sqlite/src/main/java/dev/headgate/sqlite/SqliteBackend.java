package dev.headgate.sqlite;

import dev.headgate.internal.time.WallClock;
import dev.headgate.jdbc.JdbcStoreTransaction;
import dev.headgate.jdbc.Listeners;
import dev.headgate.jdbc.Session;
import dev.headgate.jdbc.SqlFailedException;
import dev.headgate.jdbc.StoreMemory;
import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import dev.headgate.store.CallerTransaction;
import dev.headgate.store.Store.ListenCheck;
import dev.headgate.store.StoreUnavailableException;
import dev.headgate.store.jdbc.JdbcTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Jobs in a SQLite file: the embedded default. Several processes on one machine may share the file; one of them writes
 * at a time, and each commit is on disk before it is acknowledged.
 */
public final class SqliteBackend implements Backend {
    private final SqliteDialect dialect;
    private final String lockSql;
    private final LongAdder statements = new LongAdder();
    private final Listeners listeners = new Listeners();
    private final StoreMemory memory = StoreMemory.empty();
    private final SqliteFile file;
    private final StoreClock clock;
    private final SqliteWriter writer;
    private final @Nullable SqliteReader reader;
    private final @Nullable SqliteReader readerApart;
    private final @Nullable SqliteWatch watch;

    private SqliteBackend(SqliteFile file, StoreClock clock, SqliteDialect dialect) {
        this.file = file;
        this.clock = clock;
        this.dialect = dialect;
        this.lockSql = dialect.files().read("session/take_write_lock.sql");
        file.prepare();
        SqliteConnections connections = new SqliteConnections(file, dialect);
        Connection writing = connections.openUpToDate();
        Session session = new Session(writing, dialect, statements, true);
        this.writer = new SqliteWriter(session, () -> transaction(session), file.path() != null);
        // A database in memory belongs to its connection: there is no second one to read with, and no other process.
        this.reader = file.path() == null ? null : reader(connections);
        if (reader != null) {
            reader.between(Session::connection);
        }
        this.readerApart = file.path() == null ? null : reader(connections);
        this.watch = file.path() == null ? null : new SqliteWatch(file.path(), writer, listeners);
    }

    /** Opens or creates the file behind {@code jdbc:sqlite:jobs.db}, or a private store with {@code :memory:}. */
    public static SqliteBackend open(String url) {
        return open(url, new SqliteDialect());
    }

    static SqliteBackend open(String url, SqliteDialect dialect) {
        return new SqliteBackend(SqliteFile.of(url), WallClock::micros, dialect);
    }

    /** Opens a file that must be there, to look at it. */
    static Backend openToRead(String url, SqliteDialect dialect) {
        SqliteFile file = SqliteFile.of(url);
        return file.path() == null ? open(url, dialect) : new SqliteReadOnlyBackend(file, dialect);
    }

    /** The same with a clock of the caller's: for tests. */
    public static SqliteBackend open(String url, StoreClock clock) {
        return new SqliteBackend(SqliteFile.of(url), clock, new SqliteDialect());
    }

    private JdbcStoreTransaction transaction(Session session) {
        // One writer at a time: a write is alone already.
        return new JdbcStoreTransaction(session, clock, memory, () -> {}, () -> {}, false, wakes -> false);
    }

    @Override
    public <T extends @Nullable Object> T write(Function<StoreTransaction, T> work) {
        return writer.write(work);
    }

    @Override
    public <T extends @Nullable Object> T read(Function<StoreTransaction, T> work) {
        return reader == null ? readBetween(work) : reader.read(work);
    }

    /** On a connection of its own: a long read of the application does not hold it up. */
    @Override
    public <T extends @Nullable Object> T readApart(Function<StoreTransaction, T> work) {
        return readerApart == null ? readBetween(work) : readerApart.read(work);
    }

    private <T extends @Nullable Object> T readBetween(Function<StoreTransaction, T> work) {
        return writer.between(alone -> work.apply(transaction(alone)));
    }

    private SqliteReader reader(SqliteConnections connections) {
        return new SqliteReader(
                file, () -> new Session(connections.open(), dialect, statements, true), this::transaction);
    }

    @Override
    public <T extends @Nullable Object> T join(CallerTransaction caller, Function<StoreTransaction, T> work) {
        if (!(caller instanceof JdbcTransaction jdbc)) {
            throw new IllegalArgumentException(
                    "SQLite store: expected JdbcTransaction.of(connection), got %s".formatted(caller));
        }
        try {
            takeWriteLock(jdbc.connection());
            return work.apply(transaction(new Session(jdbc.connection(), dialect, statements, false)));
        } catch (SqlFailedException failed) {
            throw unavailable(failed.sql());
        } catch (SQLException failed) {
            throw unavailable(failed);
        }
    }

    /** An act that reads first and writes then fails at once if another connection writes in between; this waits instead. */
    private void takeWriteLock(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(lockSql);
        }
    }

    private StoreUnavailableException unavailable(SQLException failed) {
        return new StoreUnavailableException("SQLite store %s: %s".formatted(file.url(), failed.getMessage()), failed);
    }

    /** In this process by a call; other processes see the changed file. */
    @Override
    public void publish(Set<Wake> wakes) {
        wakes.forEach(listeners::tell);
    }

    @Override
    public Subscription listen(Consumer<Wake> listener) {
        return listeners.add(listener);
    }

    @Override
    public ListenCheck checkListening() {
        return watch == null
                ? Backend.super.checkListening()
                : ListenCheck.works("commits of other processes are seen in the write-ahead log");
    }

    @Override
    public String describe() {
        String version = writer.between(session -> SqliteConnections.version(session.connection()));
        return "SQLite %s, %s".formatted(version, file.path() == null ? "in memory" : file.path());
    }

    @Override
    public long statements() {
        return statements.sum();
    }

    @Override
    public void close() {
        if (watch != null) {
            watch.close();
        }
        if (reader != null) {
            reader.close();
        }
        if (readerApart != null) {
            readerApart.close();
        }
        writer.close();
    }
}
