package dev.headgate.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.headgate.jdbc.JdbcStoreTransaction;
import dev.headgate.jdbc.Listeners;
import dev.headgate.jdbc.Session;
import dev.headgate.jdbc.SqlClock;
import dev.headgate.jdbc.SqlFailedException;
import dev.headgate.jdbc.StoreMemory;
import dev.headgate.jdbc.WrongGuessException;
import dev.headgate.postgres.PostgresConnections.Lent;
import dev.headgate.postgres.PostgresConnections.Setup;
import dev.headgate.spi.Backend;
import dev.headgate.spi.StoreClock;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import dev.headgate.store.CallerTransaction;
import dev.headgate.store.Store.ListenCheck;
import dev.headgate.store.StoreRefusedException;
import dev.headgate.store.StoreUnavailableException;
import dev.headgate.store.jdbc.JdbcTransaction;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Jobs in PostgreSQL: many machines, one truth. Time is the database's clock. */
public final class PostgresBackend implements Backend {
    private static final int TRIES_MAX = 5;
    private final PostgresDialect dialect;
    private final LongAdder statements = new LongAdder();
    private final Listeners listeners = new Listeners();
    private final StoreMemory memory = StoreMemory.empty();
    private final PostgresConnections connections;
    private final @Nullable StoreClock clock;
    private final @Nullable HikariDataSource ownPool;
    private final PostgresSignals signals;
    private final String clockSql;
    private final String enterSql;
    private final String enterAloneSql;
    private final String settingsSql;

    private PostgresBackend(
            PostgresConnections connections,
            ListenSource listening,
            @Nullable StoreClock clock,
            @Nullable HikariDataSource ownPool,
            PostgresDialect dialect,
            boolean isReading) {
        this.connections = connections;
        this.dialect = dialect;
        this.clock = clock;
        this.ownPool = ownPool;
        this.clockSql = dialect.files().read("session/clock.sql");
        this.enterSql = dialect.files().read("session/enter.sql");
        this.enterAloneSql = dialect.files().read("session/enter_alone.sql");
        this.settingsSql = connections.settings().local();
        prepare(isReading);
        this.signals = new PostgresSignals(connections, listening, listeners);
    }

    /** Opens {@code jdbc:postgresql://host/database?user=…} with a small pool of its own. */
    public static PostgresBackend open(String url) {
        return opened(url, null, null, new PostgresDialect(), false);
    }

    /**
     * The same, where the URL leads to a pooler that loses notifications, such as PgBouncer in transaction mode.
     *
     * @param listenUrl leads to the same database without a pooler between; one connection listens there
     */
    public static PostgresBackend open(String url, String listenUrl) {
        return opened(url, listenUrl, null, new PostgresDialect(), false);
    }

    /** Like {@link #open(String)} with a clock of the caller's: for tests. */
    public static PostgresBackend open(String url, StoreClock clock) {
        return opened(url, null, clock, new PostgresDialect(), false);
    }

    static PostgresBackend opened(
            String url,
            @Nullable String listenUrl,
            @Nullable StoreClock clock,
            PostgresDialect dialect,
            boolean isReading) {
        PostgresUrl.check(url);
        PostgresPool.Opened opened;
        try {
            opened = PostgresPool.open(url);
        } catch (RuntimeException | SQLException failed) {
            throw PostgresUrl.unreachable(url, failed);
        }
        HikariDataSource pool = opened.pool();
        try {
            return new PostgresBackend(
                    new PostgresConnections(pool, Setup.of(true, opened.isPooled(), listenUrl, opened.settings())),
                    new ListenSource(pool, listenUrl),
                    clock,
                    pool,
                    dialect,
                    isReading);
        } catch (RuntimeException failed) {
            pool.close();
            throw failed;
        }
    }

    /** Uses the application's own data source, which stays the application's to close. */
    public static PostgresBackend on(DataSource source) {
        return given(source, null);
    }

    /**
     * The same, where the data source leads to a pooler that loses notifications, or has few connections.
     *
     * @param listenUrl leads to the same database without a pooler between; one connection listens there
     */
    public static PostgresBackend on(DataSource source, String listenUrl) {
        return given(source, listenUrl);
    }

    private static PostgresBackend given(DataSource source, @Nullable String listenUrl) {
        try {
            return new PostgresBackend(
                    new PostgresConnections(source, setup(source, listenUrl)),
                    new ListenSource(source, listenUrl),
                    null,
                    null,
                    new PostgresDialect(),
                    false);
        } catch (SQLException failed) {
            throw new StoreUnavailableException(
                    "PostgreSQL: expected a connection from the data source, got none: " + failed.getMessage(), failed);
        }
    }

    private static Setup setup(DataSource source, @Nullable String listenUrl) throws SQLException {
        try (Connection connection = source.getConnection()) {
            PostgresSettings settings = PostgresSettings.of(connection);
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
            return Setup.of(false, PostgresConnections.isPooled(connection), listenUrl, settings);
        }
    }

    /** Brings the tables up to date, and makes sure that what our transactions rely on is there; for a look nothing is changed. */
    private void prepare(boolean isReading) {
        try (Lent lent = connections.take()) {
            PostgresSchema schema = new PostgresSchema(dialect.files(), connections.settings());
            if (isReading) {
                schema.requireReadable(lent.connection());
                return;
            }
            schema.migrate(lent.connection(), false, step -> {});
            Session session = session(lent.connection());
            session.flushOpening();
            Map<String, String> missed = connections.settings().missed(lent.connection());
            rollBackQuietly(lent.connection());
            if (!missed.isEmpty()) {
                throw PostgresSettings.refused(missed);
            }
        } catch (SQLException failed) {
            throw new StoreUnavailableException(
                    "PostgreSQL: expected to be able to create or change Headgate's tables: %s; if this role may not, run 'headgate migrate' with one that may"
                            .formatted(failed.getMessage()),
                    failed);
        } catch (SqlFailedException failed) {
            throw unavailable(failed.sql());
        }
    }

    @Override
    public <T extends @Nullable Object> T write(Function<StoreTransaction, T> work) {
        return write(work, connections::take);
    }

    @Override
    public <T extends @Nullable Object> T writeApart(Function<StoreTransaction, T> work) {
        return write(work, connections::takeKept);
    }

    /** Where the connection of a transaction comes from. */
    private interface Lender {
        Lent take() throws SQLException;
    }

    private <T extends @Nullable Object> T write(Function<StoreTransaction, T> work, Lender lender) {
        SQLException last = null;
        boolean mayGuess = true;
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            try (Lent lent = lender.take()) {
                Attempt<T> attempt = attempt(lent.connection(), work, mayGuess);
                if (attempt.failure() == null) {
                    return attempt.answer();
                }
                last = attempt.failure();
                if (PostgresFailures.isConnectionLost(last)) {
                    lent.giveUp();
                }
            } catch (WrongGuessException wrong) {
                mayGuess = false;
            } catch (SQLException failed) {
                last = failed;
                if (!PostgresFailures.isConflict(failed) && !PostgresFailures.isConnectionLost(failed)) {
                    break;
                }
            }
        }
        throw unavailable(last == null ? new SQLException("no attempt was made") : last);
    }

    private record Attempt<T extends @Nullable Object>(
            T answer, @Nullable SQLException failure) {}

    /** Answers a failure only if the transaction is known to be rolled back and worth another try. */
    @SuppressWarnings("NullAway") // a failed attempt has no answer
    private <T extends @Nullable Object> Attempt<T> attempt(
            Connection connection, Function<StoreTransaction, T> work, boolean mayGuess) throws SQLException {
        T answer;
        JdbcStoreTransaction tx;
        Session session = session(connection);
        try {
            tx = writing(session, mayGuess);
            answer = work.apply(tx);
            tx.confirm();
        } catch (SqlFailedException failed) {
            rollBackQuietly(connection);
            refuseGuess(failed);
            if (PostgresFailures.isConflict(failed.sql()) || PostgresFailures.isConnectionLost(failed.sql())) {
                return new Attempt<>(null, failed.sql());
            }
            throw unavailable(failed.sql());
        } catch (RuntimeException | Error failed) {
            rollBackQuietly(connection);
            throw failed;
        }
        commit(session);
        tx.committed();
        return new Attempt<>(answer, null);
    }

    /** The last writes travel with the commit, so whatever fails here may be a commit whose answer was lost. */
    private void commit(Session session) throws SQLException {
        try {
            session.commit();
        } catch (SqlFailedException failed) {
            if (PostgresFailures.isConflict(failed.sql()) || PostgresFailures.isReadOnly(failed.sql())) {
                rollBackQuietly(session.connection());
                throw failed.sql();
            }
            if (PostgresFailures.isRefused(failed.sql())) {
                rollBackQuietly(session.connection());
                refuseGuess(failed);
                throw unavailable(failed.sql());
            }
            throw new StoreUnavailableException(
                    "PostgreSQL: the answer to a commit was lost, so it may or may not have happened: "
                            + failed.sql().getMessage(),
                    failed.sql());
        }
    }

    private static void refuseGuess(SqlFailedException failed) {
        if (PostgresFailures.isWrongGuess(failed.sql())) {
            throw new WrongGuessException("worker");
        }
    }

    @Override
    public <T extends @Nullable Object> T read(Function<StoreTransaction, T> work) {
        return read(work, connections::take, true);
    }

    @Override
    public <T extends @Nullable Object> T readApart(Function<StoreTransaction, T> work) {
        return read(work, connections::takeKept, false);
    }

    private <T extends @Nullable Object> T read(
            Function<StoreTransaction, T> work, Lender lender, boolean mayTakeLong) {
        try (Lent lent = lender.take()) {
            if (mayTakeLong) {
                PostgresPool.bePatient(lent.connection());
            }
            Session session = new Session(lent.connection(), dialect, statements, false);
            session.open("read", PostgresSettings.READING);
            openWithSettings(session);
            try {
                return work.apply(transaction(session, () -> {}, false, wakes -> false));
            } finally {
                rollBackQuietly(lent.connection());
            }
        } catch (SQLException failed) {
            throw unavailable(failed);
        } catch (SqlFailedException failed) {
            throw unavailable(failed.sql());
        }
    }

    @Override
    public <T extends @Nullable Object> T join(CallerTransaction caller, Function<StoreTransaction, T> work) {
        if (!(caller instanceof JdbcTransaction jdbc)) {
            throw new IllegalArgumentException(
                    "PostgreSQL store: expected JdbcTransaction.of(connection), got %s".formatted(caller));
        }
        Connection connection = jdbc.connection();
        try {
            int threshold = connections.nameNoStatements(connection);
            try {
                // Without our settings: they would stay for the caller's own statements.
                Session session = new Session(connection, dialect, statements, false);
                T answer = work.apply(transaction(
                        session, () -> {}, false, wakes -> PostgresSignals.announceWithCommit(session, wakes)));
                session.flush();
                return answer;
            } finally {
                connections.restoreNaming(connection, threshold);
            }
        } catch (SQLException failed) {
            throw unavailable(failed);
        } catch (SqlFailedException failed) {
            if (PostgresFailures.isTableMissing(failed.sql())) {
                throw new StoreRefusedException(
                        "caller's transaction: expected a connection to the store's own database and schema, found none of its tables there: %s"
                                .formatted(failed.sql().getMessage()),
                        failed);
            }
            throw unavailable(failed.sql());
        }
    }

    private Session session(Connection connection) {
        Session session = new Session(connection, dialect, statements, false);
        if (!connections.settings().isSet()) {
            session.open("write", PostgresSettings.WRITING);
            openWithSettings(session);
        }
        return session;
    }

    private void openWithSettings(Session session) {
        PostgresSettings settings = connections.settings();
        if (!settings.isSet()) {
            session.open("settings", settingsSql, Map.of("path", settings.searchPath()));
        }
    }

    /** One that writes takes part in the exclusion of policy changes when it reads policies. */
    private JdbcStoreTransaction writing(Session session, boolean mayGuess) {
        session.guard();
        return transaction(
                session, () -> session.later("enter", enterSql), mayGuess, wakes -> signals.announce(session, wakes));
    }

    private JdbcStoreTransaction transaction(
            Session session, Runnable inclusion, boolean mayGuess, Predicate<Set<Wake>> announcer) {
        StoreClock time = clock == null ? new SqlClock(session, clockSql) : clock;
        return new JdbcStoreTransaction(
                session, time, memory, inclusion, () -> enterAlone(session), mayGuess, announcer);
    }

    private void enterAlone(Session session) {
        try {
            PostgresPool.bePatient(session.connection());
        } catch (SQLException failed) {
            throw new SqlFailedException("enter_alone", failed);
        }
        session.later("enter_alone", enterAloneSql);
    }

    private static void rollBackQuietly(Connection connection) {
        try {
            connection.rollback();
        } catch (SQLException alreadyGone) {
            // A lost connection has rolled back by itself, and so has a statement that stood alone.
        }
    }

    private StoreUnavailableException unavailable(SQLException failed) {
        return new StoreUnavailableException("PostgreSQL: nothing was written: " + failed.getMessage(), failed);
    }

    @Override
    public void publish(Set<Wake> wakes) {
        wakes.forEach(listeners::tell);
        signals.publish(wakes);
    }

    @Override
    public void publishHere(Set<Wake> wakes) {
        wakes.forEach(listeners::tell);
    }

    @Override
    public void foretell(Set<String> queues) {
        queues.forEach(queue -> listeners.tell(new Wake.Coming(queue)));
    }

    @Override
    public Subscription listen(Consumer<Wake> listener) {
        // First, or it misses what is told as soon as the connection listens.
        Subscription subscription = listeners.add(listener);
        signals.listen();
        return subscription;
    }

    @Override
    public String describe() {
        try (Lent lent = connections.take()) {
            DatabaseMetaData about = lent.connection().getMetaData();
            String found = "PostgreSQL %s, %s%s"
                    .formatted(
                            about.getDatabaseProductVersion(),
                            PostgresUrl.withoutSecrets(about.getURL()),
                            connections.isPooled() ? ", through a pooler" : "");
            rollBackQuietly(lent.connection());
            return found;
        } catch (SQLException failed) {
            throw unavailable(failed);
        }
    }

    @Override
    public ListenCheck checkListening() {
        return signals.check();
    }

    @Override
    public long statements() {
        return statements.sum();
    }

    @Override
    public void close() {
        signals.close();
        connections.close();
        if (ownPool != null) {
            ownPool.close();
        }
    }
}
