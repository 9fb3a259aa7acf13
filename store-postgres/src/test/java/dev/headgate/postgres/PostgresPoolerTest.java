package dev.headgate.postgres;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.headgate.Headgate;
import dev.headgate.internal.job.JobStore;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobType;
import dev.headgate.limit.Limit;
import dev.headgate.spi.Wake;
import dev.headgate.spi.WorkerRow;
import dev.headgate.store.Store.ListenCheck;
import dev.headgate.store.jdbc.JdbcTransaction;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/** Headgate through PgBouncer, which gives the server's sessions away after each transaction. */
class PostgresPoolerTest {
    private static final int THREADS = 8;
    private static final int EACH = 25;

    private String url;

    @BeforeEach
    void begin() {
        Pooler.require();
        url = Pooler.emptyStore();
    }

    @Test
    void jobsGoInAndRunThroughAPooler() throws Exception {
        JobType<Integer> type = JobType.of("count", Integer.class);
        CountDownLatch done = new CountDownLatch(THREADS * EACH);
        try (Headgate headgate = Headgate.open(url);
                JobStore elsewhere = new JobStore(PostgresBackend.open(url));
                ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            headgate.policies().gate("tenant:*", gate -> gate.limit(Limit.concurrency(3)));
            headgate.handle(type, (n, job) -> done.countDown());
            headgate.worker("default").slots(20).start();
            List<Future<?>> callers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                String gate = "tenant:" + i;
                callers.add(threads.submit(() -> {
                    for (int n = 0; n < EACH; n++) {
                        headgate.enqueue(type, n, job -> job.gate(gate));
                        elsewhere.enqueue(List.of(job("other").gate(gate).build()));
                    }
                }));
            }
            for (Future<?> caller : callers) {
                caller.get();
            }
            assertThat(done.await(240, TimeUnit.SECONDS)).isTrue();
            assertThat(headgate.recount()).isEmpty();
        }
    }

    /** The application's pool knows nothing of poolers: its driver names the statements that come often. */
    @Test
    void anApplicationsPoolMayLeadToAPooler() throws Exception {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(8);
        try (HikariDataSource pool = new HikariDataSource(config);
                PostgresBackend backend = PostgresBackend.on(pool);
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            JobStore store = new JobStore(backend);
            List<Future<?>> callers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                callers.add(threads.submit(() -> enqueueOften(pool, store)));
            }
            for (Future<?> caller : callers) {
                caller.get();
            }
            assertThat(store.list(JobFilter.all().limit(1000))).hasSize(4 * 2 * EACH);
            try (Connection connection = pool.getConnection()) {
                assertThat(connection.unwrap(PGConnection.class).getPrepareThreshold())
                        .as("as the application wants it")
                        .isEqualTo(5);
            }
        }
        assertThat(inAllSessions("select count(*) from pg_prepared_statements where statement like '%headgate%'"))
                .containsOnly("0");
    }

    private static void enqueueOften(HikariDataSource pool, JobStore store) {
        for (int n = 0; n < EACH; n++) {
            store.enqueue(List.of(job("own").gate("a").build()));
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                store.enqueue(
                        JdbcTransaction.of(connection),
                        List.of(job("callers").gate("a").build()));
                connection.unwrap(PGConnection.class).setPrepareThreshold(0); // for the commit, which is the caller's
                connection.commit();
                connection.unwrap(PGConnection.class).setPrepareThreshold(5);
            } catch (SQLException failed) {
                throw new IllegalStateException(failed);
            }
        }
    }

    /** Or the next program that gets the session plans its queries without sequential scans. */
    @Test
    void nothingIsLeftInASession() throws SQLException {
        try (JobStore store = new JobStore(PostgresBackend.open(url))) {
            store.register(
                    new WorkerRow("w", "w", List.of("mail"), 1, 0, 0, List.of()), Duration.ofMinutes(1), List.of());
            for (int n = 0; n < EACH; n++) {
                store.enqueue(List.of(job("mail").gate("a").build()));
                store.heartbeat("w", Duration.ofMinutes(1), List.of());
                store.list(JobFilter.all());
            }
        }
        assertThat(inAllSessions("select current_setting('enable_seqscan')")).containsOnly("on");
        assertThat(inAllSessions("select current_setting('idle_in_transaction_session_timeout')"))
                .containsOnly("0");
        assertThat(inAllSessions("select count(*) from pg_prepared_statements")).containsOnly("0");
        assertThat(inAllSessions("select count(*) from pg_listening_channels()"))
                .containsOnly("0");
    }

    /** Asks each session of the server that the pooler has, which is as many as transactions can be open at once. */
    private List<String> inAllSessions(String query) throws SQLException {
        List<Connection> open = new ArrayList<>();
        List<String> answers = new ArrayList<>();
        try {
            for (int i = 0; i < Pooler.SESSIONS; i++) {
                Connection connection = DriverManager.getConnection(url + "&prepareThreshold=0");
                open.add(connection);
                connection.setAutoCommit(false);
                try (Statement statement = connection.createStatement();
                        ResultSet row = statement.executeQuery(query)) {
                    row.next();
                    answers.add(row.getString(1));
                }
            }
        } finally {
            for (Connection connection : open) {
                connection.close();
            }
        }
        return answers;
    }

    @Test
    void whatIsSentThroughThePoolerIsHeardAtTheServer() throws InterruptedException {
        BlockingQueue<Wake> heard = new LinkedBlockingQueue<>();
        try (PostgresBackend here = PostgresBackend.open(url, TestServer.emptyStoreUrl());
                JobStore elsewhere = new JobStore(PostgresBackend.open(url))) {
            assertThat(here.checkListening().state()).isEqualTo(ListenCheck.State.WORKS);
            here.listen(heard::add);
            assertThat(heard.poll(120, TimeUnit.SECONDS)).isEqualTo(new Wake.Anything()); // it listens
            elsewhere.enqueue(List.of(job("mail").build()));
            assertThat(heard.poll(120, TimeUnit.SECONDS)).isEqualTo(new Wake.Queue("mail"));
        }
    }

    /** A session that listens for a client that is gone collects notifications for whichever client comes next. */
    @Test
    void noSessionIsLeftListeningWhileOthersTakeTurns() throws Exception {
        try (PostgresBackend deaf = PostgresBackend.open(url);
                PostgresBackend wrong = PostgresBackend.open(url, url);
                Connection other = DriverManager.getConnection(url + "&prepareThreshold=0");
                ExecutorService threads = Executors.newFixedThreadPool(2)) {
            other.setAutoCommit(false);
            for (PostgresBackend backend : List.of(deaf, wrong)) {
                List<Connection> held = holdAllButOne();
                Future<ListenCheck> check = threads.submit(backend::checkListening);
                takeASessionThatListens(other, check);
                for (Connection connection : held) {
                    connection.close();
                }
                assertThat(check.get().state()).isNotEqualTo(ListenCheck.State.WORKS);
                other.rollback();
            }
        }
        assertThat(inAllSessions("select count(*) from pg_listening_channels()"))
                .containsOnly("0");
    }

    /** So that what listens does so in the one that is left. */
    private List<Connection> holdAllButOne() throws SQLException {
        List<Connection> held = new ArrayList<>();
        for (int i = 1; i < Pooler.SESSIONS; i++) {
            Connection connection = DriverManager.getConnection(url + "&prepareThreshold=0");
            held.add(connection);
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("select 1");
            }
        }
        return held;
    }

    private static void takeASessionThatListens(Connection other, Future<?> check) throws SQLException {
        boolean isTaken = false;
        while (!isTaken && !check.isDone()) {
            other.rollback();
            try (Statement statement = other.createStatement();
                    ResultSet row = statement.executeQuery("select count(*) from pg_listening_channels()")) {
                isTaken = row.next() && row.getInt(1) > 0;
            }
        }
    }

    @Test
    void aUrlOfAnotherDatabaseToListenAtIsSaid() throws Exception {
        assertThat(warns("most likely it leads to another database", TestServer.otherDatabase()))
                .isTrue();
    }

    private boolean warns(String words, String listenUrl) throws InterruptedException {
        Semaphore warned = new Semaphore(0);
        PrintStream before = System.err;
        System.setErr(new PrintStream(before, true) {
            @Override
            public void println(String line) {
                super.println(line);
                if (line.contains(words)) {
                    warned.release();
                }
            }
        });
        try (PostgresBackend backend = PostgresBackend.open(url, listenUrl)) {
            backend.listen(wake -> {});
            return warned.tryAcquire(240, TimeUnit.SECONDS);
        } finally {
            System.setErr(before);
        }
    }

    @Test
    void aPoolerThatLosesNotificationsIsFoundAndSaid() throws InterruptedException {
        Semaphore warned = new Semaphore(0);
        PrintStream before = System.err;
        System.setErr(new PrintStream(before, true) {
            @Override
            public void println(String line) {
                super.println(line);
                if (line.contains("nothing listens there")) {
                    warned.release();
                }
            }
        });
        try (PostgresBackend deaf = PostgresBackend.open(url);
                PostgresBackend wrong = PostgresBackend.open(url, url)) {
            deaf.listen(wake -> {});
            assertThat(deaf.checkListening().state()).isEqualTo(ListenCheck.State.OFF);
            assertThat(wrong.checkListening().state()).isEqualTo(ListenCheck.State.BROKEN);
            assertThat(warned.tryAcquire(240, TimeUnit.SECONDS)).isTrue();
            assertThat(deaf.describe()).endsWith("through a pooler");
        } finally {
            System.setErr(before);
        }
    }

    /** A pooler that keeps sessions passes notifications on, if a URL to listen at says that it may. */
    @Test
    void aPoolerInSessionModeIsListenedThrough() throws InterruptedException {
        BlockingQueue<Wake> heard = new LinkedBlockingQueue<>();
        String session = Pooler.emptyStoreInSessions();
        try (PostgresBackend unasked = PostgresBackend.open(session);
                PostgresBackend here = PostgresBackend.open(session, session);
                JobStore elsewhere = new JobStore(PostgresBackend.open(url))) {
            assertThat(unasked.checkListening().state())
                    .as("not without being told to")
                    .isEqualTo(ListenCheck.State.OFF);
            assertThat(here.checkListening().state()).isEqualTo(ListenCheck.State.WORKS);
            here.listen(heard::add);
            assertThat(heard.poll(120, TimeUnit.SECONDS)).isEqualTo(new Wake.Anything());
            elsewhere.enqueue(List.of(job("mail").build()));
            assertThat(heard.poll(120, TimeUnit.SECONDS)).isEqualTo(new Wake.Queue("mail"));
        }
    }
}
