package dev.headgate.postgres;

import static dev.headgate.testkit.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.headgate.Headgate;
import dev.headgate.Worker;
import dev.headgate.admission.GateKey;
import dev.headgate.admission.GatePolicy;
import dev.headgate.admission.Limit;
import dev.headgate.jdbc.JdbcTransaction;
import dev.headgate.job.JobType;
import dev.headgate.job.NewJob;
import dev.headgate.store.JobFilter;
import dev.headgate.store.StoreRefusedException;
import dev.headgate.store.StoreTransaction;
import dev.headgate.store.StoreUnavailableException;
import dev.headgate.store.WorkerRow;
import dev.headgate.transition.JobStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
            assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
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

    /** What the server answers with an error has not happened; only a lost answer leaves doubt. */
    @Test
    void aReadOnlyPoolSaysThatNothingWasWritten() {
        PostgresBackend.open(url).close();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(2);
        config.setConnectionInitSql("set default_transaction_read_only = on");
        try (HikariDataSource pool = new HikariDataSource(config);
                PostgresBackend backend = PostgresBackend.on(pool)) {
            assertThatExceptionOfType(StoreUnavailableException.class)
                    .isThrownBy(() ->
                            new JobStore(backend).enqueue(List.of(job("default").build())))
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
            for (String setting : List.of("enable_seqscan", "enable_bitmapscan", "jit")) {
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
            assertThat(locked.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
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
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(connections);
        config.setConnectionTimeout(5_000);
        return new HikariDataSource(config);
    }
}
