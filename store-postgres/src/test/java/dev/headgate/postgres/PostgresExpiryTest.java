package dev.headgate.postgres;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.testkit.VirtualTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A turn that meets expired jobs never holds them while it waits for a gate: the transaction that has the gate may want their rows. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresExpiryTest {
    private final String url = TestServer.freshSchema();

    @Test
    void expiredJobsAreNotHeldWhileATurnWaitsForAGate() throws Exception {
        VirtualTime time = new VirtualTime();
        try (Rig rig = new Rig(PostgresBackend.open(url, time), time);
                Connection other = DriverManager.getConnection(url);
                Statement statement = other.createStatement()) {
            rig.policy("gate a", "concurrency 1");
            ScriptedWorker worker = rig.worker("mail");
            JobId first = rig.enqueue(job("mail").gate("a"));
            assertThat(worker.claim(1)).containsExactly(first);
            JobId late = rig.enqueue(job("mail").gate("a").deadline(time.now().plusSeconds(10)));
            JobId behind = rig.enqueue(job("mail").gate("a"));
            worker.stayAlive(Duration.ofSeconds(20));
            rig.advance(Duration.ofSeconds(10));

            other.setAutoCommit(false);
            try (ResultSet gate =
                    statement.executeQuery("select key from headgate_gate where key = 'gate:a' for update")) {
                assertThat(gate.next()).isTrue();
            }
            FutureTask<List<JobId>> turn = new FutureTask<>(() -> worker.claim(1));
            Thread.ofPlatform().start(turn);
            awaitSomebodyWaiting();
            // What a turn does that holds this gate; it must not find the row held by one that waits for it.
            statement.execute("select id from headgate_job where id = " + late.value() + " for no key update nowait");
            other.commit();

            assertThat(turn.get()).isEmpty();
            assertThat(rig.state(late)).isEqualTo(JobState.FAILED);
            worker.finish(first);
            assertThat(worker.claim(1)).containsExactly(behind);
        }
    }

    private void awaitSomebodyWaiting() throws SQLException {
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
}
