package dev.headgate.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.Lane;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import dev.headgate.proof.Jobs;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.store.StoreRefusedException;
import dev.headgate.store.jdbc.JdbcTransaction;
import dev.headgate.testkit.VirtualTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Enqueue in the caller's own transaction, which may stay open as long as it likes. */
class PostgresCallerTransactionTest {
    private final String url = TestServer.freshSchema();
    private final VirtualTime time = new VirtualTime();

    @Test
    void anOpenTransactionMakesNobodyWaitAndItsJobsAppearWithItsCommit() throws SQLException {
        try (Rig rig = new Rig(PostgresBackend.open(url, time), time);
                Connection first = open();
                Connection second = open()) {
            rig.store().setPolicy(GateKey.gate("tenant:*"), GatePolicy.of(Limit.concurrency(5)));
            enqueue(rig, first);
            // The same new lane and gate, in another open transaction and in one of its own: none waits.
            enqueue(rig, second);
            rig.enqueue(Jobs.job("mail").gate("tenant:a"));
            ScriptedWorker worker = rig.worker("mail");
            assertThat(worker.claim(5)).hasSize(1);
            second.rollback();
            first.commit();
            assertThat(worker.claim(5))
                    .as("the committed one, not the one rolled back")
                    .hasSize(1);
        }
    }

    @Test
    void aLaneEmptiedWhileAJobIsOnItsWayIsWokenByItsDoorbell() throws SQLException {
        try (Rig rig = new Rig(PostgresBackend.open(url, time), time);
                Connection caller = open()) {
            rig.enqueue(Jobs.job("mail").gate("tenant:a"));
            ScriptedWorker worker = rig.worker("mail");
            enqueue(rig, caller);
            assertThat(worker.claim(5)).hasSize(1);
            assertThat(worker.claim(5)).as("the lane is empty now").isEmpty();
            caller.commit();
            assertThat(worker.claim(5)).hasSize(1);
        }
    }

    @Test
    void anUrgentArrivalInALaneThatAnotherTurnHoldsIsNotForgotten() throws SQLException {
        try (Rig rig = new Rig(PostgresBackend.open(url, time), time);
                Connection other = open()) {
            ScriptedWorker worker = rig.worker("mail");
            JobId first = rig.enqueue(Jobs.job("mail").gate("c"));
            JobId second = rig.enqueue(Jobs.job("mail").gate("b"));
            rig.enqueue(Jobs.job("mail").gate("b"));
            rig.enqueue(Jobs.job("mail").gate("a"));
            assertThat(worker.claim(1)).as("the others stand ready").containsExactly(first);
            holdLane(other, new Lane("mail", List.of("a")));
            JobId urgent = rig.enqueue(Jobs.job("mail").gate("a").priority(9));
            assertThat(worker.claim(1)).as("that lane is passed by").containsExactly(second);
            other.rollback();
            assertThat(worker.claim(1)).containsExactly(urgent);
        }
    }

    private static void holdLane(Connection connection, Lane lane) throws SQLException {
        try (PreparedStatement lock =
                connection.prepareStatement("select 1 from headgate_lane where id = ? for update")) {
            lock.setString(1, lane.id());
            assertThat(lock.executeQuery().next())
                    .as("it waits, so it has a row")
                    .isTrue();
        }
    }

    @Test
    void aJobThatAnOpenTransactionWaitsForEndsMeanwhileAndIsNotMissed() throws SQLException {
        try (Rig rig = new Rig(PostgresBackend.open(url, time), time);
                Connection caller = open()) {
            ScriptedWorker worker = rig.worker("mail");
            JobId first = rig.enqueue(Jobs.job("mail"));
            JobId second = rig.enqueue(Jobs.job("mail"));
            long last = rig.store()
                    .enqueue(
                            JdbcTransaction.of(caller),
                            List.of(Jobs.job("mail")
                                    .gate("tenant:a")
                                    .after(first, second)
                                    .build()))
                    .getFirst()
                    .id();
            assertThat(worker.claim(5)).as("nobody holds them").containsExactly(first, second);
            worker.finish(first);
            caller.commit();
            assertThat(worker.claim(5)).as("the other one runs").isEmpty();
            assertThat(rig.explain(JobId.of(last)).summary())
                    .isEqualTo("waiting for job %s (running)".formatted(second));
            worker.finish(second);
            assertThat(worker.claim(5)).containsExactly(JobId.of(last));
        }
    }

    /** The count would be that of the transaction's beginning, so that any number of callers find the same room. */
    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    void aCapIsNotCountedInAnOldView(int isolation) throws SQLException {
        try (Rig rig = new Rig(PostgresBackend.open(url, time), time);
                Connection caller = open()) {
            rig.store().setPolicy(GateKey.queue("mail"), GatePolicy.parse("backlog 1 reject"));
            caller.setTransactionIsolation(isolation);
            look(caller);
            rig.enqueue(Jobs.job("mail").gate("tenant:a"));
            assertThatExceptionOfType(StoreRefusedException.class)
                    .isThrownBy(() -> enqueue(rig, caller))
                    .withMessageContaining("expected READ COMMITTED")
                    .withMessageContaining("found %s", isolation == 4 ? "REPEATABLE READ" : "SERIALIZABLE");
            rig.store()
                    .enqueue(
                            JdbcTransaction.of(caller),
                            List.of(Jobs.job("other").build()));
            caller.commit();
            assertThat(rig.store().list(JobFilter.all()))
                    .as("one under the cap, one that no cap concerns")
                    .hasSize(2);
        }
    }

    @Test
    void aConnectionToAnotherDatabaseIsRefused() throws SQLException {
        try (Rig rig = new Rig(PostgresBackend.open(url, time), time);
                Connection caller = DriverManager.getConnection(TestServer.otherDatabase())) {
            caller.setAutoCommit(false);
            assertThatExceptionOfType(StoreRefusedException.class)
                    .isThrownBy(() -> enqueue(rig, caller))
                    .withMessageContaining("expected a connection to the store's own database");
        }
    }

    private static void look(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("select 1 from headgate_meta");
        }
    }

    private static void enqueue(Rig rig, Connection connection) {
        rig.store()
                .enqueue(
                        JdbcTransaction.of(connection),
                        List.of(Jobs.job("mail").gate("tenant:a").build()));
    }

    private Connection open() throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        connection.setAutoCommit(false);
        return connection;
    }
}
