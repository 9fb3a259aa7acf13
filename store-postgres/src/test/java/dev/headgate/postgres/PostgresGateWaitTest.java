package dev.headgate.postgres;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.lease.Departure;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.internal.limiter.PermitStore;
import dev.headgate.job.JobId;
import dev.headgate.job.Outcome;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.WorkerRow;
import dev.headgate.testkit.VirtualTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A claim that has to wait for the lock of a gate decides by the time at which it got it. By the time at which it asked,
 * a start would count from before its handler could run, and the next one would follow too early.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresGateWaitTest {
    private static final long MILLI = 1_000;
    private static final String CLOCK = "select (extract(epoch from clock_timestamp()) * 1000000)::bigint";

    private final String url = TestServer.freshSchema();
    private Connection foreign;

    @BeforeEach
    void open() throws SQLException {
        foreign = DriverManager.getConnection(url);
        foreign.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        foreign.close();
    }

    private long ask(String sql) throws SQLException {
        try (Statement statement = foreign.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private void lockGate(String key) throws SQLException {
        assertThat(ask(
                        "with held as (select 1 from headgate_gate where key = '%s' for update) select count(*) from held"
                                .formatted(key)))
                .as("the row of " + key)
                .isEqualTo(1);
    }

    /**
     * Holds the gate while claims wait for it, moves time on meanwhile, and judges by the times at which handlers start.
     * Time is virtual, so a handler starts at the very instant at which its gate was let go.
     */
    @ParameterizedTest
    @CsvSource({
        "window 3/1s margin none, 3, 1000, 0",
        "window 3/1s margin 200ms, 3, 1000, 0",
        "rate 4/1s burst 2 margin none, 2, 0, 250",
        "rate 4/1s burst 2 margin 100ms, 2, 0, 250",
        "spaced 4/1s, 1, 0, 250",
        "delay 300ms, 1, 0, 300"
    })
    void whateverTheWaitForAGateItsLimitHoldsWhereHandlersStart(
            String limits, int atOnce, long perMillis, long eachMillis) throws Exception {
        VirtualTime time = new VirtualTime();
        List<Long> starts = new ArrayList<>();
        try (Rig rig = new Rig(PostgresBackend.open(url, time), time)) {
            rig.policy("gate g", limits);
            ScriptedWorker worker = rig.worker("mail");
            worker.stayAlive(Duration.ofHours(1));
            JobId first = rig.enqueue(job("mail").gate("g"));
            assertThat(worker.claim(1)).containsExactly(first);
            starts.add(time.micros());
            rig.enqueue(11, job("mail").gate("g"));
            int waits = 0;
            for (int round = 0; starts.size() < 12; round++) {
                lockGate("gate:g");
                FutureTask<List<JobId>> claim = LockWaits.start(() -> worker.claim(1));
                if (LockWaits.await(url, claim)) {
                    waits++;
                    time.advance(Duration.ofMillis(round % 3 * 170L));
                }
                foreign.commit();
                claim.get().forEach(started -> starts.add(time.micros()));
                time.advance(Duration.ofMillis(70));
            }
            assertThat(waits).as("claims that had to wait").isGreaterThan(4);
        }
        // A window: so many at once, all again after its length. A bucket or a distance: one more for each interval.
        LongUnaryOperator most = eachMillis == 0
                ? span -> (span / (perMillis * MILLI) + 1) * atOnce
                : span -> atOnce + span / (eachMillis * MILLI);
        for (int from = 0; from < starts.size(); from++) {
            for (int to = from; to < starts.size(); to++) {
                long span = starts.get(to) - starts.get(from);
                assertThat((long) (to - from + 1))
                        .as("%s: starts in %d ms, of %s", limits, span / MILLI, starts)
                        .isLessThanOrEqualTo(most.applyAsLong(span));
            }
        }
    }

    /** Otherwise a lane with a gate that is seldom free would be left by every turn that has something to bring back. */
    @Test
    void aTurnThatBringsSomethingBackWaitsForTheGatesOfTheFirstLaneToo() throws Exception {
        VirtualTime time = new VirtualTime();
        try (Rig rig = new Rig(PostgresBackend.open(url, time), time)) {
            rig.policy("gate *", "concurrency 1");
            ScriptedWorker worker = rig.worker("mail");
            worker.stayAlive(Duration.ofHours(1));
            JobId before = rig.enqueue(job("mail").gate("seldom-free"));
            assertThat(worker.claim(1)).as("makes the row").containsExactly(before);
            worker.finishAll();
            JobId running = rig.enqueue(job("mail").gate("free"));
            assertThat(worker.claim(1)).containsExactly(running);
            JobId first = rig.enqueue(job("mail").gate("seldom-free"));
            JobId second = rig.enqueue(job("mail").gate("free"));
            EndedLease ended = new EndedLease(worker.lease(running), new Outcome.Succeeded(null));

            List<Turn> turns = new ArrayList<>();
            whileLocked("gate:seldom-free", () -> worker.turn(9, ended), turns);

            assertThat(turns.getFirst().started())
                    .extracting(row -> JobId.of(row.id()))
                    .containsExactly(first, second);
        }
    }

    /** Runs it while the gate is locked; answers what the server's clock showed when it waited. */
    private <T> long whileLocked(String gate, Callable<T> work, List<T> answer) throws Exception {
        lockGate(gate);
        FutureTask<T> task = LockWaits.start(work);
        assertThat(LockWaits.await(url, task)).as("waits for " + gate).isTrue();
        long seen = ask(CLOCK);
        foreign.commit();
        answer.add(task.get());
        return seen;
    }

    /** By the server's own clock, whose reading may travel with the locks. */
    @Test
    void nothingIsGrantedBeforeItsGateIsLocked() throws Exception {
        try (JobStore store = new JobStore(PostgresBackend.open(url))) {
            store.setPolicy(GateKey.gate("none"), GatePolicy.parse("window 1000/1h margin none"));
            store.setPolicy(GateKey.gate("some"), GatePolicy.parse("window 1000/1h margin 10m"));
            store.setPolicy(GateKey.queue("sms"), GatePolicy.parse("window 1000/1h margin none"));
            List<String> queues = List.of("mail", "sms");
            store.register(new WorkerRow("w", "w", queues, 1, 0, 0, List.of()), Duration.ofMinutes(5), List.of());
            TurnRequest request = new TurnRequest("w", queues, 1, List.of(), Duration.ofMillis(2));
            for (String gate : List.of("gate:none", "gate:some", "queue:sms")) {
                var job = gate.equals("queue:sms") ? job("sms") : job("mail").gate(gate.substring(5));
                store.enqueue(List.of(job.build()));
                assertThat(store.turnaround(request).started())
                        .as("makes the row")
                        .hasSize(1);
                store.enqueue(List.of(job.build()));

                List<Turn> turns = new ArrayList<>();
                long seen = whileLocked(gate, () -> store.turnaround(request), turns);

                JobRow started = turns.getFirst().started().getFirst();
                assertThat(started.lease().startedAt()).as(gate).isGreaterThanOrEqualTo(seen);

                List<Departure> departures = new ArrayList<>();
                seen = whileLocked(gate, () -> store.depart(started), departures);
                Departure.Granted anew = (Departure.Granted) departures.getFirst();
                assertThat(anew.lease().lease().startedAt())
                        .as("departing at " + gate)
                        .isGreaterThanOrEqualTo(seen);
            }
            PermitStore permits = new PermitStore(store.backend());
            List<PermitStore.Reply> asked = new ArrayList<>();
            long seen = whileLocked(
                    "gate:none", () -> permits.ask(List.of(GateKey.gate("none")), 1, -7, Duration.ofMinutes(1)), asked);
            PermitStore.Granted granted = (PermitStore.Granted) asked.getFirst();
            assertThat(granted.parts().getFirst().start().at()).as("a permit").isGreaterThanOrEqualTo(seen);
        }
    }
}
