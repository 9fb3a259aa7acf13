package dev.headgate.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Headgate;
import dev.headgate.internal.schedule.ScheduleStore;
import dev.headgate.job.JobType;
import dev.headgate.proof.Rig;
import dev.headgate.proof.WorkflowRig;
import dev.headgate.proof.contract.MachineContract;
import dev.headgate.proof.contract.MachineContract.Order;
import dev.headgate.proof.contract.WorkflowContract;
import dev.headgate.proof.contract.WorkflowContract.Paid;
import dev.headgate.proof.contract.WorkflowContract.Trail;
import dev.headgate.run.RunId;
import dev.headgate.run.RunState;
import dev.headgate.run.Started;
import dev.headgate.schedule.Schedule;
import dev.headgate.schedule.Schedule.PutResult;
import dev.headgate.store.jdbc.JdbcTransaction;
import dev.headgate.testkit.VirtualTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Starts, signals, events and schedules in a caller's transaction, which may stay open as long as it likes. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresCallerActsTest {
    private static final JobType<String> POLL = JobType.of("poll", String.class);

    private final String url = TestServer.freshSchema();
    private final VirtualTime time = new VirtualTime();

    @Test
    void anOpenStartMakesNothingWait() throws SQLException {
        try (Rig rig = new Rig(PostgresBackend.open(url, time), time);
                Headgate headgate = Headgate.open(rig.store().backend());
                Connection first = open();
                Connection second = open()) {
            WorkflowRig play = new WorkflowRig(rig, "default").register(WorkflowContract.ABC);
            RunId one = start(headgate, first, "one");
            RunId two = start(headgate, second, "two");
            RunId three = play.workflows()
                    .start(WorkflowContract.ABC, new Trail("-"), run -> run.key("three"))
                    .id();
            play.all();
            assertThat(play.state(three)).isEqualTo(RunState.SUCCEEDED);
            second.rollback();
            first.commit();
            play.all();
            assertThat(play.state(one)).isEqualTo(RunState.SUCCEEDED);
            assertThat(play.workflows().find(two)).isEmpty();
        }
    }

    private static RunId start(Headgate headgate, Connection connection, String key) {
        return headgate.workflows()
                .in(JdbcTransaction.of(connection))
                .start(WorkflowContract.ABC, new Trail("-"), run -> run.key(key))
                .id();
    }

    /** The run goes on meanwhile, and begins to wait before the commit: it must not miss what it cannot see yet. */
    @Test
    void anOpenSignalMakesNothingWaitAndIsNotMissed() throws SQLException {
        try (Rig rig = new Rig(PostgresBackend.open(url, time), time);
                Headgate headgate = Headgate.open(rig.store().backend());
                Connection first = open();
                Connection second = open()) {
            WorkflowRig play = new WorkflowRig(rig, "default")
                    .register(WorkflowContract.PAY)
                    .register(MachineContract.ORDER);
            RunId run =
                    play.workflows().start(WorkflowContract.PAY, new Trail("")).id();
            RunId order = play.machines()
                    .start(MachineContract.ORDER, new Order(1, ""))
                    .id();
            for (Connection caller : List.of(first, second)) {
                JdbcTransaction tx = JdbcTransaction.of(caller);
                headgate.workflows().in(tx).signal(run, "paid", new Paid(7));
                headgate.machines().in(tx).send(order, "note", "x");
            }
            play.all();
            assertThat(play.state(run)).isEqualTo(RunState.AWAITING);
            headgate.machines().send(order, "note", "y");
            play.all();
            assertThat(play.machines().data(order, MachineContract.ORDER)).isEqualTo(new Order(1, "y"));
            second.rollback();
            first.commit();
            play.all();
            assertThat(play.workflows().result(run, WorkflowContract.PAY)).isEqualTo(new Trail("?7!"));
            assertThat(play.machines().data(order, MachineContract.ORDER)).isEqualTo(new Order(1, "yx"));
        }
    }

    @Test
    void aStartThatLosesARaceForAKeyLeavesNothingHalfDone() throws Exception {
        raceForAKey(headgate -> startBoth(headgate, null));
    }

    @Test
    void theSameInACallersTransaction() throws Exception {
        try (Connection caller = open()) {
            raceForAKey(headgate -> startBoth(headgate, caller));
        }
    }

    private static List<Started> startBoth(Headgate headgate, Connection caller) {
        List<Trail> both = List.of(new Trail("a"), new Trail("b"));
        if (caller == null) {
            return headgate.workflows().startAll(WorkflowContract.ABC, both, (trail, run) -> run.key(trail.path()));
        }
        List<Started> started = headgate.workflows()
                .in(JdbcTransaction.of(caller))
                .startAll(WorkflowContract.ABC, both, (trail, run) -> run.key(trail.path()));
        try {
            caller.commit();
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
        return started;
    }

    private void raceForAKey(Function<Headgate, List<Started>> loser) throws Exception {
        try (Rig rig = new Rig(PostgresBackend.open(url, time), time);
                Headgate headgate = Headgate.open(rig.store().backend());
                Connection winner = open()) {
            WorkflowRig play = new WorkflowRig(rig, "default").register(WorkflowContract.ABC);
            RunId won = start(headgate, winner, "b");
            FutureTask<List<Started>> both = new FutureTask<>(() -> loser.apply(headgate));
            Thread.ofPlatform().start(both);
            awaitOneWaiting();
            winner.commit();
            assertThat(both.get()).extracting(Started::isNew).containsExactly(true, false);
            assertThat(both.get().getLast().id()).isEqualTo(won);
            play.all();
            assertThat(play.state(both.get().getFirst().id())).isEqualTo(RunState.SUCCEEDED);
            assertThat(play.state(won)).isEqualTo(RunState.SUCCEEDED);
        }
    }

    private void awaitOneWaiting() throws SQLException {
        try (Connection watch = DriverManager.getConnection(url);
                Statement statement = watch.createStatement()) {
            boolean isWaiting = false;
            while (!isWaiting) {
                try (ResultSet locks = statement.executeQuery("select count(*) from pg_locks where not granted")) {
                    locks.next();
                    isWaiting = locks.getInt(1) > 0;
                }
            }
        }
    }

    @Test
    void aScheduleThatAnOpenTransactionChangesFiresAfterwardsAndTheOthersMeanwhile() throws SQLException {
        try (Rig rig = new Rig(PostgresBackend.open(url, time), time);
                Headgate headgate = Headgate.open(rig.store().backend());
                Connection caller = open()) {
            Schedule hourly = Schedule.every(Duration.ofHours(1));
            headgate.schedules().put("changed", hourly, POLL, "x");
            headgate.schedules().put("same", hourly, POLL, "x");
            ScheduleStore schedules = new ScheduleStore(rig.store().backend());
            var in = headgate.schedules().in(JdbcTransaction.of(caller));
            assertThat(in.put("changed", hourly, POLL, "y")).isEqualTo(PutResult.CHANGED);
            assertThat(in.put("same", hourly, POLL, "x")).isEqualTo(PutResult.UNCHANGED);
            assertThat(headgate.schedules().put("changed", hourly, POLL, "x")).isEqualTo(PutResult.UNCHANGED);
            rig.advance(Duration.ofHours(1));
            assertThat(schedules.fire().runs()).as("the one that is not locked").isEqualTo(1);
            caller.commit();
            assertThat(schedules.fire().runs()).isEqualTo(1);
            assertThat(headgate.schedules().runs("changed", 5)).hasSize(1);
        }
    }

    private Connection open() throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        connection.setAutoCommit(false);
        return connection;
    }
}
