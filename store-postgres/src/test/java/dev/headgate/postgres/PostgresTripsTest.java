package dev.headgate.postgres;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.job.Cost;
import dev.headgate.job.JobId;
import dev.headgate.job.JobStatus;
import dev.headgate.job.Lane;
import dev.headgate.job.Outcome;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.Wake;
import dev.headgate.spi.WorkerRow;
import dev.headgate.spi.WorkerTable;
import dev.headgate.store.StoreUnavailableException;
import dev.headgate.testkit.VirtualTime;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** What is left out to save a trip to the database must be right all the same. */
class PostgresTripsTest {
    private final String url = TestServer.freshSchema();

    /** A turn goes by the policies in memory, and compares them on the way. */
    @Test
    void aTurnObeysPoliciesThatAnotherProcessHasJustChanged() {
        VirtualTime time = new VirtualTime();
        try (Rig here = new Rig(PostgresBackend.open(url, time), time);
                Rig elsewhere = new Rig(PostgresBackend.open(url, time), time)) {
            here.policy("queue mail", "concurrency 5");
            ScriptedWorker worker = here.worker("mail");
            for (int i = 0; i < 10; i++) {
                here.enqueue(job("mail"));
            }
            assertThat(worker.claim(1)).hasSize(1);

            elsewhere.policy("queue mail", "concurrency 3");

            assertThat(worker.claim(10)).hasSize(2);
        }
    }

    /** What is due at once is written with the time of the database, which was not asked for. */
    @Test
    void whatIsDueAtOnceHasTheTimeOfTheDatabase() throws SQLException {
        try (JobStore store = new JobStore(PostgresBackend.open(url))) {
            Instant before = now();
            List<JobId> alone = store.enqueue(List.of(job("mail").build())).stream()
                    .map(row -> new JobId(row.id()))
                    .toList();
            List<JobId> mixed = store
                    .enqueue(List.of(job("mail").build(), job("post").gate("a").build()))
                    .stream()
                    .map(row -> new JobId(row.id()))
                    .toList();
            Instant after = now();

            for (JobId id : List.of(alone.getFirst(), mixed.getFirst(), mixed.getLast())) {
                JobStatus status = Objects.requireNonNull(store.find(id));
                assertThat(status.times().enqueuedAt()).isBetween(before, after);
                assertThat(status.times().readySince()).isEqualTo(status.times().enqueuedAt());
            }
        }
    }

    /** An enqueue is one statement without a transaction around it; what comes next on its connection has one. */
    @Test
    void whatFollowsALoneStatementIsStillAllOrNothing() throws SQLException {
        try (JobStore store = new JobStore(PostgresBackend.open(url))) {
            store.enqueue(List.of(job("other").build())); // carries the wake-up of others, so it is not alone
            store.enqueue(List.of(job("mail").build()));
            assertThatThrownBy(() -> store.backend().write(tx -> {
                        tx.lanes().ring(List.of(HeadOfLane.of(new Lane("mail", List.of("a")), 1, Cost.ONE)));
                        assertThat(tx.lanes()
                                        .takeArrivals(List.of("mail"), 1, 0)
                                        .get())
                                .hasSize(1);
                        tx.lanes().ring(List.of(HeadOfLane.of(new Lane("mail", List.of("b")), 1, Cost.ONE)));
                        tx.now();
                        throw new IllegalStateException("half done");
                    }))
                    .hasMessage("half done");
            assertThat(count("headgate_arrival")).isZero();
            assertThat(count("headgate_job")).isEqualTo(2);
        }
    }

    private long count(String table) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select count(*) from " + table)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** A lone statement that the database refuses leaves nothing behind, and its connection goes on. */
    @Test
    void aLoneStatementThatIsRefusedLeavesNothing() throws SQLException {
        try (JobStore store = new JobStore(PostgresBackend.open(url))) {
            store.enqueue(List.of(job("other").build()));
            execute("alter table headgate_job add check (type <> 'refused')");
            assertThatThrownBy(() -> store.enqueue(List.of(
                            job("mail").build(), job("mail").type("refused").build())))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("nothing was written");
            store.enqueue(List.of(job("mail").build()));
            assertThat(count("headgate_job")).isEqualTo(2);
        }
    }

    /** A start goes by what the worker's row said before; a worker that is gone by then starts nothing. */
    @Test
    void whoIsGivenUpForLostInTheMiddleOfATurnHoldsNothing() throws SQLException {
        try (JobStore store = new JobStore(PostgresBackend.open(url))) {
            String worker = "w";
            store.register(
                    new WorkerRow(worker, worker, List.of("mail"), 1, 0, 0, List.of()),
                    Duration.ofMinutes(1),
                    List.of());
            assertThat(hold(store, worker, 7, () -> {})).isNotNull();
            AtomicInteger tries = new AtomicInteger();
            assertThat(hold(store, worker, 8, () -> {
                        if (tries.getAndIncrement() == 0) {
                            execute("delete from headgate_worker");
                        }
                    }))
                    .isNull();
            assertThat(tries).hasValue(2);
        }
    }

    /** What a turn that gives nothing up does to its worker's row. */
    private static WorkerTable.@Nullable Shifted hold(JobStore store, String worker, long job, Runnable meanwhile) {
        return store.backend().write(tx -> {
            tx.workers().foresee(worker);
            long now = tx.now();
            meanwhile.run();
            return tx.workers().shift(worker, List.of(), List.of(job), now);
        });
    }

    private void execute(String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** The first of several is told by its commit, those right behind it together. */
    @Test
    void othersHearOfEveryQueueThatSomethingCameInto() throws InterruptedException {
        BlockingQueue<Wake> heard = new LinkedBlockingQueue<>();
        try (PostgresBackend elsewhere = PostgresBackend.open(url);
                JobStore store = new JobStore(PostgresBackend.open(url))) {
            elsewhere.listen(heard::add);
            assertThat(heard.take()).isEqualTo(new Wake.Anything()); // it listens
            Set<Wake> expected = new HashSet<>();
            for (int i = 0; i < 50; i++) {
                store.enqueue(List.of(job("q" + i).build()));
                expected.add(new Wake.Queue("q" + i));
            }
            while (!expected.isEmpty()) {
                expected.remove(heard.take());
            }
        }
    }

    /** A command that enqueues into several queues ends right behind it, and its wake-ups are not part of its commit. */
    @Test
    void othersHearOfWhatAProgramEnqueuedRightBeforeItsEnd() throws InterruptedException {
        BlockingQueue<Wake> heard = new LinkedBlockingQueue<>();
        try (PostgresBackend elsewhere = PostgresBackend.open(url)) {
            elsewhere.listen(heard::add);
            assertThat(heard.poll(30, TimeUnit.SECONDS)).isEqualTo(new Wake.Anything()); // it listens
            for (int i = 0; i < 10; i++) {
                try (JobStore store = new JobStore(PostgresBackend.open(url))) {
                    store.enqueue(List.of(job("a" + i).build(), job("b" + i).build()));
                }
                List<Wake> both = List.of(
                        Objects.requireNonNullElse(heard.poll(30, TimeUnit.SECONDS), new Wake.Cancel()),
                        Objects.requireNonNullElse(heard.poll(30, TimeUnit.SECONDS), new Wake.Cancel()));
                assertThat(both).containsExactlyInAnyOrder(new Wake.Queue("a" + i), new Wake.Queue("b" + i));
            }
        }
    }

    private Instant now() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet clock = statement.executeQuery("select clock_timestamp()")) {
            clock.next();
            return clock.getTimestamp(1).toInstant();
        }
    }

    /** Every trip of one of our connections is a statement that is prepared: its text is kept. */
    private static Object listened(Class<?> type, Object target, List<String> trips) {
        return Proxy.newProxyInstance(
                PostgresTripsTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        trips.add(String.valueOf(arguments[0]));
                    }
                    try {
                        Object answer = method.invoke(target, arguments);
                        return method.getName().equals("getConnection")
                                ? listened(Connection.class, Objects.requireNonNull(answer), trips)
                                : answer;
                    } catch (InvocationTargetException failed) {
                        throw Objects.requireNonNull(failed.getCause());
                    }
                });
    }

    /** What finds out whether the tables are still those of this program travels with something else, and once. */
    @Test
    void theVersionOfTheTablesIsLookedAtOnceAndInNoTripOfItsOwn() {
        String look = new PostgresDialect()
                .files()
                .read("statement/policy_version.sql")
                .strip();
        List<String> trips = new CopyOnWriteArrayList<>();
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        try (JobStore store =
                new JobStore(PostgresBackend.on((DataSource) listened(DataSource.class, source, trips)))) {
            store.register(
                    new WorkerRow("w", "w", List.of("mail"), 1, 0, 0, List.of()), Duration.ofMinutes(1), List.of());
            store.enqueue(List.of(job("mail").build(), job("mail").gate("g").build()));
            Map<String, Runnable> acts = new LinkedHashMap<>();
            List<JobRow> running = new ArrayList<>();
            acts.put("a claim", () -> running.addAll(turn(store, 2, List.of())));
            acts.put("an idle turn", () -> turn(store, 2, List.of()));
            acts.put("the end of jobs", () -> turn(store, 0, running));
            acts.put("a heartbeat", () -> store.heartbeat("w", Duration.ofMinutes(1), List.of()));
            acts.forEach((name, act) -> {
                trips.clear();
                act.run();
                assertThat(trips.stream().filter(trip -> trip.contains(look)))
                        .as("looks of " + name)
                        .hasSize(1)
                        .allSatisfy(trip -> assertThat(trip.split(Pattern.quote(look), -1))
                                .as("once, with something else")
                                .hasSize(2)
                                .anySatisfy(rest ->
                                        assertThat(rest.replace(";", "")).isNotBlank()));
            });
            assertThat(running).hasSize(2);
        }
    }

    private static List<JobRow> turn(JobStore store, int slots, List<JobRow> running) {
        List<EndedLease> ended = running.stream()
                .map(lease -> new EndedLease(lease, new Outcome.Succeeded("1")))
                .toList();
        return store.turnaround(new TurnRequest("w", List.of("mail"), slots, ended))
                .started();
    }
}
