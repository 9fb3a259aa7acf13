package dev.headgate.postgres;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.headgate.Headgate;
import dev.headgate.Worker;
import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.resource.ResourceStore;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobType;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import dev.headgate.spi.JobTable.LeaseRef;
import dev.headgate.spi.NewJob;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import dev.headgate.spi.WorkerRow;
import dev.headgate.status.Overview.WorkerView;
import dev.headgate.store.StoreRefusedException;
import dev.headgate.store.StoreUnavailableException;
import dev.headgate.store.jdbc.JdbcTransaction;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Headgate on the application's own pool, whose connections the application may have taken, all of them. */
class PostgresPoolTest {
    private static final int CALLERS = 200;
    private static final int POOL = 10;

    private final String url = TestServer.freshSchema();

    /** A transaction that needs a second connection to go on waits for the others, which wait for the same. */
    @Test
    void manyTransactionsEnqueueOnASmallPoolOnWhichAWorkerRuns() throws Exception {
        JobType<Long> type = JobType.of("count", Long.class);
        AtomicLong nanos = new AtomicLong();
        CountDownLatch done = new CountDownLatch(CALLERS);
        try (HikariDataSource pool = pool(POOL);
                PostgresBackend backend = PostgresBackend.on(pool);
                Headgate headgate = Headgate.open(backend);
                ExecutorService threads = Executors.newFixedThreadPool(CALLERS)) {
            headgate.handle(type, (n, job) -> done.countDown());
            Worker worker = headgate.worker("default").slots(20).start();
            // Three seconds pass between any two looks at the clock, so every copy of the policies is too old.
            JobStore store = new JobStore(backend, () -> nanos.addAndGet(3_000_000_000L));
            String id = worker.id();
            List<Future<Integer>> callers = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                String payload = Integer.toString(i);
                callers.add(threads.submit(() -> enqueueAndCommit(pool, store, payload)));
            }
            for (Future<Integer> caller : callers) {
                assertThat(caller.get()).isEqualTo(1);
            }
            assertThat(done.await(240, TimeUnit.SECONDS)).isTrue();
            assertThat(worker.id()).as("it was never given up for lost").isEqualTo(id);
            assertThat(store.list(JobFilter.all().limit(1000))).hasSize(CALLERS);
        }
    }

    private static int enqueueAndCommit(HikariDataSource pool, JobStore store, String payload) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            int jobs = store.enqueue(
                            JdbcTransaction.of(connection),
                            List.of(job("default")
                                    .type("count")
                                    .payload(payload)
                                    .build()))
                    .size();
            connection.commit();
            return jobs;
        }
    }

    @Test
    void aHeartbeatComesThroughWhileTheApplicationHasAllConnections() throws SQLException {
        try (HikariDataSource pool = pool(POOL);
                PostgresBackend backend = PostgresBackend.on(pool)) {
            JobStore store = new JobStore(backend);
            store.register(
                    new WorkerRow("w", "w", List.of("mail"), 1, 0, 0, List.of()), Duration.ofMinutes(1), List.of());
            List<Connection> taken = new ArrayList<>();
            while (pool.getHikariPoolMXBean().getActiveConnections() < POOL) {
                taken.add(pool.getConnection());
            }
            assertThat(store.heartbeat("w", Duration.ofMinutes(1), List.of()).toStop())
                    .isEmpty();
            for (Connection connection : taken) {
                connection.close();
            }
        }
    }

    /** Whatever the heartbeat loop asks for besides: which jobs to stop, what its worker has room for, to register anew. */
    @Test
    void allThatTheHeartbeatLoopDoesComesThroughWhileTheApplicationHasAllConnections() throws SQLException {
        try (HikariDataSource pool = pool(POOL);
                PostgresBackend backend = PostgresBackend.on(pool)) {
            JobStore store = new JobStore(backend);
            WorkerRow row = new WorkerRow("w", "w", List.of("mail"), 1, 0, 0, List.of());
            store.register(row, Duration.ofMinutes(1), List.of());
            List<Connection> taken = new ArrayList<>();
            while (pool.getHikariPoolMXBean().getActiveConnections() < POOL) {
                taken.add(pool.getConnection());
            }
            assertThat(store.toStop("w", List.of(new LeaseRef(1, 1)))).containsExactly(1L);
            new ResourceStore(backend).publish("w", 1, "memory=1/1");
            WorkerRow anew = new WorkerRow("w2", "w", List.of("mail"), 1, 0, 0, List.of());
            store.register(anew, Duration.ofMinutes(1), List.of());
            for (Connection connection : taken) {
                connection.close();
            }
            assertThat(store.overview(1).workers()).extracting(WorkerView::id).containsExactly("w", "w2");
        }
    }

    /**
     * Handlers that hold all other connections for longer than the lease, while wake-ups make the worker look for jobs to
     * stop. If the heartbeat waited for one of those connections, its handlers would be interrupted and start again.
     */
    @Test
    void handlersThatHoldAllConnectionsKeepTheirLease() throws Exception {
        JobType<Integer> type = JobType.of("hold", Integer.class);
        int handlers = POOL - 2;
        AtomicLong starts = new AtomicLong();
        CountDownLatch holding = new CountDownLatch(handlers);
        CountDownLatch release = new CountDownLatch(1);
        try (HikariDataSource pool = pool(POOL, Duration.ofSeconds(30));
                PostgresBackend backend = PostgresBackend.on(pool);
                Headgate headgate = Headgate.open(backend);
                Connection own = DriverManager.getConnection(url)) {
            headgate.handle(type, (n, job) -> {
                starts.incrementAndGet();
                try (Connection connection = pool.getConnection()) {
                    holding.countDown();
                    release.await();
                    connection.isValid(1);
                }
            });
            List<JobId> jobs = new ArrayList<>();
            for (int i = 0; i < handlers; i++) {
                jobs.add(headgate.enqueue(type, i).id());
            }
            Worker worker = headgate.worker("default")
                    .slots(handlers)
                    .lease(Duration.ofSeconds(3))
                    .start();
            String id = worker.id();
            assertThat(holding.await(60, TimeUnit.SECONDS)).isTrue();
            long first = leaseUntil(own);
            while (leaseUntil(own) < first + Duration.ofSeconds(5).toNanos() / 1_000) {
                backend.publishHere(Set.of(new Wake.Cancel()));
            }
            assertThat(worker.id()).isEqualTo(id);
            release.countDown();
            for (JobId job : jobs) {
                assertThat(headgate.await(job, Duration.ofSeconds(60))
                                .orElseThrow()
                                .state())
                        .isEqualTo(JobState.SUCCEEDED);
            }
            assertThat(starts).hasValue(handlers);
        }
    }

    /** The end of the latest lease by the store's clock; fails if there has been none for a long time. */
    private static long leaseUntil(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select coalesce(max(lease_until), 0), (extract(epoch from clock_timestamp()) * 1000000)::bigint from headgate_worker")) {
            row.next();
            assertThat(row.getLong(1)).as("the lease of the worker").isGreaterThan(row.getLong(2) - 20_000_000);
            return row.getLong(1);
        }
    }

    /** A pool that takes it away, a server that restarts: the next heartbeat has a new one. */
    @Test
    void aKeptConnectionThatBreaksIsReplaced() throws SQLException {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(3);
        config.addDataSourceProperty("ApplicationName", "breaks");
        try (HikariDataSource pool = new HikariDataSource(config);
                PostgresBackend backend = PostgresBackend.on(pool);
                Connection own = DriverManager.getConnection(url)) {
            JobStore store = new JobStore(backend);
            WorkerRow row = new WorkerRow("w", "w", List.of("mail"), 1, 0, 0, List.of());
            store.register(row, Duration.ofMinutes(1), List.of());
            List<Long> pids = numbers(own, "select pid from pg_stat_activity where application_name = 'breaks'");
            pids.forEach(pid -> numbers(own, "select pg_terminate_backend(%d)::int".formatted(pid)));
            List<Long> alive = pids;
            while (!alive.isEmpty()) {
                alive = numbers(own, "select pid from pg_stat_activity where application_name = 'breaks'");
                alive.retainAll(pids);
            }
            assertThat(store.heartbeat("w", Duration.ofMinutes(1), List.of()).toStop())
                    .isEmpty();
        }
    }

    private static List<Long> numbers(Connection connection, String query) {
        List<Long> numbers = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                numbers.add(row.getLong(1));
            }
        } catch (SQLException failed) {
            throw new IllegalStateException(query, failed);
        }
        return numbers;
    }

    @Test
    void aProgramThatOnlyEnqueuesKeepsNoConnection() throws SQLException {
        try (HikariDataSource pool = pool(1);
                PostgresBackend backend = PostgresBackend.on(pool)) {
            JobStore store = new JobStore(backend);
            assertThat(enqueueAndCommit(pool, store, "1")).isEqualTo(1);
            store.enqueue(List.of(job("default").build()));
            assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isLessThanOrEqualTo(1);
            assertThat(store.list(JobFilter.all())).hasSize(2);
        }
    }

    /**
     * What the server answers with an error has not happened; only a lost answer leaves doubt. A transaction of ours asks to
     * write, so a trigger answers as a server does that takes no writes; a caller's transaction is as the pool made it.
     */
    @Test
    void aServerThatTakesNoWritesIsSaidToHaveWrittenNothing() throws SQLException {
        PostgresBackend.open(url).close();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(2);
        config.setConnectionInitSql("set default_transaction_read_only = on");
        try (HikariDataSource pool = new HikariDataSource(config);
                PostgresBackend backend = PostgresBackend.on(pool);
                Connection plain = DriverManager.getConnection(url);
                Statement statement = plain.createStatement()) {
            JobStore store = new JobStore(backend);
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> enqueueAndCommit(pool, store, "1"))
                    .withMessageContaining("nothing was written")
                    .withMessageContaining("read-only transaction");
            statement.execute("""
                    create function refuse() returns trigger language plpgsql as $$
                    begin
                        raise exception 'in a read-only transaction' using errcode = '25006';
                    end $$
                    """);
            statement.execute("create trigger refuse before insert on headgate_job execute function refuse()");
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() -> store.enqueue(List.of(job("default").build())))
                    .withMessageContaining("nothing was written")
                    .withMessageContaining("read-only transaction");
        }
    }

    @Test
    void aPoolThatIsTooSmallForAWorkerIsRefusedWithTheFigure() {
        try (HikariDataSource pool = pool(2);
                PostgresBackend backend = PostgresBackend.on(pool);
                PostgresBackend listensElsewhere = PostgresBackend.on(pool, url);
                Headgate headgate = Headgate.open(backend);
                Headgate other = Headgate.open(listensElsewhere)) {
            assertThatExceptionOfType(StoreRefusedException.class)
                    .isThrownBy(() -> headgate.worker("default").start())
                    .withMessageContaining("expected at least 3 connections for a worker")
                    .withMessageContaining("got a maximum of 2");
            assertThat(headgate.overview().workers())
                    .as("nothing was registered")
                    .isEmpty();
            assertThat(other.worker("default").start().isStopped()).isFalse();
        }
    }

    @Test
    void nothingIsSetInTheCallersTransaction() throws SQLException {
        try (HikariDataSource pool = pool(2);
                PostgresBackend backend = PostgresBackend.on(pool);
                Connection caller = pool.getConnection();
                Statement statement = caller.createStatement()) {
            JobStore store = new JobStore(backend);
            caller.setAutoCommit(false);
            store.enqueue(
                    JdbcTransaction.of(caller), List.of(job("mail").gate("a").build()));
            for (String setting : List.of("enable_seqscan", "enable_bitmapscan", "enable_mergejoin", "jit")) {
                try (ResultSet row = statement.executeQuery("show " + setting)) {
                    row.next();
                    assertThat(row.getString(1)).as(setting).isEqualTo("on");
                }
            }
            caller.rollback();
        }
    }

    /** A process that is stopped in the middle of a turn must not keep its gates locked, on whichever pool. */
    @Test
    void aTransactionThatStandsStillOnTheApplicationsPoolKeepsNoLock() throws InterruptedException {
        Semaphore locked = new Semaphore(0);
        Semaphore goOn = new Semaphore(0);
        try (HikariDataSource pool = pool(POOL);
                PostgresBackend backend = PostgresBackend.on(pool)) {
            Thread standing = Thread.ofPlatform()
                    .start(() -> backend.write(tx -> {
                        lockAll(tx);
                        locked.release();
                        goOn.acquireUninterruptibly();
                        return 1;
                    }));
            assertThat(locked.tryAcquire(120, TimeUnit.SECONDS)).isTrue();
            FutureTask<Integer> other = new FutureTask<>(() -> backend.write(PostgresPoolTest::lockAll));
            Thread.ofPlatform().daemon().start(other);
            assertThat(other).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(0);
            goOn.release(2);
            standing.join();
        }
    }

    private static int lockAll(StoreTransaction tx) {
        tx.policyTable().lockForChange();
        return tx.gates().list(null, 1).size();
    }

    /** What a transaction reads that sees the store as it was at its beginning is not taken for the present by others. */
    @Test
    void anOldViewOfOneCallerIsNotTheCopyOfAll() throws SQLException {
        AtomicLong nanos = new AtomicLong();
        try (HikariDataSource pool = pool(POOL);
                PostgresBackend backend = PostgresBackend.on(pool);
                Connection old = pool.getConnection()) {
            JobStore store = new JobStore(backend, nanos::get);
            old.setAutoCommit(false);
            old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            try (Statement statement = old.createStatement()) {
                statement.execute("select 1 from headgate_meta");
            }
            new JobStore(backend).setPolicy(GateKey.gate("small"), GatePolicy.of(Limit.budget(4)));
            nanos.addAndGet(Duration.ofSeconds(3).toNanos());
            NewJob tooLarge = job("mail").gate("small").cost(5).build();
            assertThat(store.enqueue(JdbcTransaction.of(old), List.of(tooLarge)))
                    .hasSize(1);
            assertThatIllegalArgumentException().isThrownBy(() -> store.enqueue(List.of(tooLarge)));
            old.rollback();
        }
    }

    private HikariDataSource pool(int connections) {
        return pool(connections, Duration.ofSeconds(5));
    }

    private HikariDataSource pool(int connections, Duration patience) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(connections);
        config.setConnectionTimeout(patience.toMillis());
        return new HikariDataSource(config);
    }
}
