package dev.headgate.sqlite;

import dev.headgate.internal.time.WallClock;
import dev.headgate.jdbc.JdbcStoreTransaction;
import dev.headgate.jdbc.Listeners;
import dev.headgate.jdbc.Session;
import dev.headgate.jdbc.StoreMemory;
import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import dev.headgate.store.CallerTransaction;
import dev.headgate.store.Store.ListenCheck;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A file that is only looked at; see {@link SqliteConnections#openToRead}. */
final class SqliteReadOnlyBackend implements Backend {
    private final LongAdder statements = new LongAdder();
    private final Listeners listeners = new Listeners();
    private final StoreMemory memory = StoreMemory.empty();
    private final SqliteFile file;
    private final SqliteReader reader;

    SqliteReadOnlyBackend(SqliteFile file, SqliteDialect dialect) {
        this.file = file;
        SqliteConnections connections = new SqliteConnections(file, dialect);
        this.reader = new SqliteReader(
                file,
                () -> new Session(connections.openToRead(true), dialect, statements, true),
                session -> new JdbcStoreTransaction(
                        session, WallClock::micros, memory, () -> {}, () -> {}, false, wakes -> false));
        reader.between(Session::connection); // refuses now, and not at the first look
    }

    private IllegalStateException refused() {
        return new IllegalStateException("SQLite store %s: was opened to be read".formatted(file.url()));
    }

    @Override
    public <T extends @Nullable Object> T write(Function<StoreTransaction, T> work) {
        throw refused();
    }

    @Override
    public <T extends @Nullable Object> T join(CallerTransaction caller, Function<StoreTransaction, T> work) {
        throw refused();
    }

    @Override
    public <T extends @Nullable Object> T read(Function<StoreTransaction, T> work) {
        return reader.read(work);
    }

    @Override
    public void publish(Set<Wake> wakes) {
        throw refused();
    }

    /** Of other processes it hears nothing: a look is over before they have written. */
    @Override
    public Subscription listen(Consumer<Wake> listener) {
        return listeners.add(listener);
    }

    @Override
    public ListenCheck checkListening() {
        return ListenCheck.works("commits of other processes are seen in the write-ahead log");
    }

    @Override
    public String describe() {
        String version = reader.between(session -> SqliteConnections.version(session.connection()));
        return "SQLite %s, %s".formatted(version, file.path());
    }

    @Override
    public long statements() {
        return statements.sum();
    }

    @Override
    public void close() {
        reader.close();
    }
}
