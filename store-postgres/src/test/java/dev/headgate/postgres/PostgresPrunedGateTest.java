package dev.headgate.postgres;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobId;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.testkit.VirtualTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The row of a gate may go while a turn waits for it, or is held by a turn while it could go. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresPrunedGateTest {
    private final String url = TestServer.freshSchema();
    private final VirtualTime time = new VirtualTime();

    @Test
    void aTurnThatWaitsForARowWhichIsPrunedMakesItAgain() throws Exception {
        try (Rig rig = new Rig(PostgresBackend.open(url, time), time);
                Connection pruner = DriverManager.getConnection(url)) {
            ScriptedWorker worker = used(rig);
            List<JobId> ids = rig.enqueue(2, job("q").gate("tenant:a", "tenant:b"));
            pruner.setAutoCommit(false);
            run(pruner, "delete from headgate_gate where key = 'gate:tenant:a'");
            FutureTask<List<JobId>> claim = LockWaits.start(() -> worker.claim(9));
            assertThat(LockWaits.await(url, claim)).as("waits for the row").isTrue();
            pruner.commit();
            assertThat(claim.get()).as("the limit holds").containsExactly(ids.getFirst());
            assertThat(rig.leases("gate tenant:a")).isEqualTo(1);
            worker.finishAll();
            assertThat(worker.claim(9)).containsExactly(ids.getLast());
            worker.finishAll();
        }
    }

    @Test
    void aRowThatIsLockedIsLeftToTheNextPass() throws SQLException {
        try (Rig rig = new Rig(PostgresBackend.open(url, time), time);
                Connection turn = DriverManager.getConnection(url)) {
            used(rig);
            turn.setAutoCommit(false);
            run(turn, "select * from headgate_gate where key = 'gate:tenant:a' for update");
            assertThat(rig.store().pruneGates()).as("the other one").isEqualTo(1);
            turn.commit();
            assertThat(rig.store().pruneGates()).isEqualTo(1);
        }
    }

    /** Two gates were in use, and are as new by now. */
    private static ScriptedWorker used(Rig rig) {
        rig.policy("gate tenant:*", "concurrency 1");
        ScriptedWorker worker = rig.worker("q");
        rig.enqueue(job("q").gate("tenant:a", "tenant:b"));
        worker.claim(1);
        worker.finishAll();
        rig.advance(Duration.ofDays(1));
        return worker;
    }

    private static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            boolean unused = statement.execute(sql);
        }
    }
}
