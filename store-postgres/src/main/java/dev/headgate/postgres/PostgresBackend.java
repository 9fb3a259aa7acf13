package dev.headgate.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.headgate.jdbc.JdbcStoreTransaction;
import dev.headgate.jdbc.JdbcTransaction;
import dev.headgate.jdbc.Listeners;
import dev.headgate.jdbc.Session;
import dev.headgate.jdbc.SqlClock;
import dev.headgate.jdbc.SqlFailedException;
import dev.headgate.jdbc.StoreMemory;
import dev.headgate.jdbc.WrongGuessException;
import dev.headgate.store.Backend;
import dev.headgate.store.CallerTransaction;
import dev.headgate.store.StoreClock;
import dev.headgate.store.StoreRefusedException;
import dev.headgate.store.StoreTransaction;
import dev.headgate.store.StoreUnavailableException;
import dev.headgate.store.Wake;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Jobs in PostgreSQL: many machines, one truth. Time is the database's clock. */
public final class PostgresBackend implements Backend {
    private static final int TRIES_MAX = 5;

    private final PostgresDialect dialect = new PostgresDialect();
    private final LongAdder statements = new LongAdder();
    private final Listeners listeners = new Listeners();
    private final StoreMemory memory = StoreMemory.empty();
    private final DataSource source;
    private final @Nullable StoreClock clock;
    private final @Nullable HikariDataSource ownPool;
    private final PostgresSignals signals;
    private final String clockSql;
    private final String enterSql;
    private final String enterAloneSql;

    private PostgresBackend(DataSource source, @Nullable StoreClock clock, @Nullable HikariDataSource ownPool) {
        this.source = source;
        this.clock = clock;
        this.ownPool = ownPool;
        this.clockSql = dialect.files().read("session/clock.sql");
        this.enterSql = dialect.files().read("session/enter.sql");
        this.enterAloneSql = dialect.files().read("session/enter_alone.sql");
        new PostgresSchema(dialect.files()).migrate(source);
        this.signals = new PostgresSignals(source, listeners);
    }

    /** Opens {@code jdbc:postgresql://host/database?user=…} with a small pool of its own. */
    public static PostgresBackend open(String url) {
        return open(url, null);
    }

    /** The same with a clock of the caller's: for tests. */
    public static PostgresBackend open(String url, @Nullable StoreClock clock) {
        refuseUserBeforeHost(url);
        HikariDataSource pool;
        try {
            pool = PostgresPool.open(url);
        } catch (RuntimeException failed) {
            throw new StoreUnavailableException(
                    "PostgreSQL: expected a database at %s, could not reach it: %s; check host, port, user and that it runs"
                            .formatted(withoutSecrets(url), rootMessage(failed)),
                    failed);
        }
        try {
            return new PostgresBackend(pool, clock, pool);
        } catch (RuntimeException failed) {
            pool.close();
            throw failed;
        }
    }

    /** Uses the application's own data source, which stays the application's to close. */
    public static PostgresBackend on(DataSource source) {
        return new PostgresBackend(source, null, null);
    }

    @Override
    public <T extends @Nullable Object> T write(Function<StoreTransaction, T> work) {
        SQLException last = null;
        boolean mayGuess = true;
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            try (Connection connection = connect()) {
                Attempt<T> attempt = attempt(connection, work, mayGuess);
                if (attempt.failure() == null) {
                    return attempt.answer();
                }
                last = attempt.failure();
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
        Session session = new Session(connection, dialect, statements, false);
        try {
            tx = transaction(session, true, mayGuess);
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
            if (PostgresFailures.isConflict(failed.sql())) {
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
        try (Connection connection = connect()) {
            PostgresPool.bePatient(connection);
            try (Statement control = connection.createStatement()) {
                control.execute("set transaction isolation level repeatable read read only");
                return work.apply(transaction(new Session(connection, dialect, statements, false), false, false));
            } finally {
                rollBackQuietly(connection);
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
        try {
            Session session = new Session(jdbc.connection(), dialect, statements, false);
            T answer = work.apply(transaction(session, false, false));
            session.flush();
            // Sent by PostgreSQL when the caller commits, and not at all if it does not.
            PostgresSignals.notifyIn(jdbc.connection(), new Wake.Anything(), "");
            return answer;
        } catch (SQLException failed) {
            throw unavailable(failed);
        } catch (SqlFailedException failed) {
            throw unavailable(failed.sql());
        }
    }

    private Connection connect() throws SQLException {
        Connection connection = source.getConnection();
        if (connection.getAutoCommit()) {
            connection.setAutoCommit(false);
        }
        return connection;
    }

    /** @param isClaiming takes part in the exclusion of policy changes when it reads policies */
    private JdbcStoreTransaction transaction(Session session, boolean isClaiming, boolean mayGuess) {
        StoreClock time = clock == null ? new SqlClock(session, clockSql) : clock;
        return new JdbcStoreTransaction(
                session,
                time,
                memory,
                isClaiming ? () -> session.later("enter", enterSql) : () -> {},
                () -> enterAlone(session),
                mayGuess,
                wakes -> isClaiming && signals.announce(session, wakes));
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
        // First, or it misses what is told as soon as somebody listens.
        Subscription subscription = listeners.add(listener);
        signals.listen();
        return subscription;
    }

    @Override
    public String describe() {
        try (Connection connection = connect()) {
            try {
                String url = connection.getMetaData().getURL();
                return "PostgreSQL %s, %s"
                        .formatted(connection.getMetaData().getDatabaseProductVersion(), withoutSecrets(url));
            } finally {
                rollBackQuietly(connection);
            }
        } catch (SQLException failed) {
            throw unavailable(failed);
        }
    }

    @Override
    public long statements() {
        return statements.sum();
    }

    @Override
    public void close() {
        signals.close();
        if (ownPool != null) {
            ownPool.close();
        }
    }

    /** The driver takes it for a part of the host's name and repeats it, password and all, in its messages. */
    private static void refuseUserBeforeHost(String url) {
        if (place(url).indexOf('@') >= 0) {
            throw new StoreRefusedException(
                    "PostgreSQL %s: expected user and password as options, got them before the host; write ?user=…&password=… behind the database"
                            .formatted(withoutSecrets(url)));
        }
    }

    private static String place(String url) {
        int query = url.indexOf('?');
        return query < 0 ? url : url.substring(0, query);
    }

    /** The place without user, password or options. */
    private static String withoutSecrets(String url) {
        String place = place(url);
        return place.replaceFirst("//.*@", "//");
    }

    private static String rootMessage(Throwable failed) {
        Throwable root = failed;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return String.valueOf(root.getMessage());
    }
}
