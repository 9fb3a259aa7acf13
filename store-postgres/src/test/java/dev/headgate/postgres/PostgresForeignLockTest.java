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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A claim skips rows that another transaction has locked. What it skipped must still be found later. */
class PostgresForeignLockTest {
    private static final Duration SOON = Duration.ofMillis(50);

    private final String url = TestServer.freshSchema();
    private final VirtualTime time = new VirtualTime();
    private Rig rig;
    private ScriptedWorker worker;
    private Connection foreign;

    @BeforeEach
    void open() throws SQLException {
        rig = new Rig(PostgresBackend.open(url, time), time);
        worker = rig.worker("mail");
        foreign = DriverManager.getConnection(url);
        foreign.setAutoCommit(false);
    }

    @AfterEach
    void close() throws SQLException {
        foreign.close();
        rig.close();
    }

    @Test
    void aLaneThatWasLockedWhenItsGateOpenedStartsLater() throws SQLException {
        rig.policy("gate lim*", "concurrency 1");
        List<JobId> jobs = rig.enqueue(3, job("mail").gate("lim0"));
        assertThat(worker.claim(3)).containsExactly(jobs.getFirst());

        lockLanes();
        assertThat(worker.finish(jobs.getFirst())).isTrue();
        foreign.commit();

        rig.advance(SOON);
        assertThat(worker.claim(3)).containsExactly(jobs.get(1));
        worker.finish(jobs.get(1));
        assertThat(worker.claim(3)).containsExactly(jobs.get(2));
    }

    @Test
    void nothingOvertakesALaneThatIsLocked() throws SQLException {
        rig.policy("gate lim", "concurrency 2").policy("gate own:*", "concurrency 9");
        List<JobId> running = rig.enqueue(2, job("mail").gate("lim"));
        assertThat(worker.claim(2)).isEqualTo(running);
        JobId first = rig.enqueue(job("mail").gate("lim").gate("own:1"));
        JobId second = rig.enqueue(job("mail").gate("lim").gate("own:2"));
        JobId third = rig.enqueue(job("mail").gate("lim").gate("own:3"));
        assertThat(worker.claim(5)).isEmpty();

        lock("select * from headgate_lane where gates like '%own:1%' for update");
        worker.finishAll();
        assertThat(worker.claim(5)).isEmpty();
        foreign.commit();

        rig.advance(SOON);
        assertThat(worker.claim(5)).containsExactly(first, second);
        worker.finishAll();
        assertThat(worker.claim(5)).containsExactly(third);
    }

    @Test
    void aLaneThatWasLockedWhenTimeOpenedItsGateStartsLater() throws SQLException {
        rig.policy("gate lim", "rate 1/1s burst 1");
        List<JobId> jobs = rig.enqueue(2, job("mail").gate("lim"));
        assertThat(worker.claim(5)).containsExactly(jobs.getFirst());

        lockLanes();
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.claim(5)).isEmpty();
        foreign.commit();

        rig.advance(SOON);
        assertThat(worker.claim(5)).containsExactly(jobs.get(1));
    }

    /** What a turn cannot read because it is locked has not gone: its share keeps its place in the order of the queue. */
    @Test
    void aLaneOfAFairQueueThatWasLockedStartsLater() throws SQLException {
        rig.policy("queue mail", "fair by t:*").policy("gate lim", "concurrency 1");
        List<JobId> jobs = rig.enqueue(2, job("mail").gate("t:1").gate("lim"));
        assertThat(worker.claim(1)).containsExactly(jobs.getFirst());
        assertThat(worker.turn(0).started()).isEmpty();

        lock("select * from headgate_lane where state = 'READY' for update");
        worker.finishAll();
        assertThat(worker.claim(1)).isEmpty();
        foreign.commit();

        rig.advance(SOON);
        assertThat(worker.claim(1)).containsExactly(jobs.getLast());
    }

    private void lockLanes() throws SQLException {
        lock("select * from headgate_lane for update");
    }

    private void lock(String sql) throws SQLException {
        try (Statement statement = foreign.createStatement()) {
            assertThat(statement.executeQuery(sql).next()).isTrue();
        }
    }
}
