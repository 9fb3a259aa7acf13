package dev.headgate.postgres;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.Turn;
import dev.headgate.job.JobId;
import dev.headgate.job.Outcome;
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

/**
 * A turn waits for the gates of what comes first, and for no others: what another turn has locked is left to the next one, and is not
 * forgotten.
 */
class PostgresBusyGateTest {
    /** A turn that waits for a gate after all fails instead of standing still. */
    private static final String NO_WAITING = "&options=-c%20lock_timeout=2s";

    private final String url = TestServer.freshSchema();
    private final VirtualTime time = new VirtualTime();
    private Rig rig;
    private ScriptedWorker worker;
    private Connection foreign;

    @BeforeEach
    void open() throws SQLException {
        rig = new Rig(PostgresBackend.open(url + NO_WAITING, time), time);
        rig.policy("gate *", "concurrency 1");
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
    void anOutcomeAtALockedGateIsLeftToTheNextTurn() throws SQLException {
        JobId first = rig.enqueue(job("mail").gate("a"));
        JobId second = rig.enqueue(job("mail").gate("b"));
        assertThat(worker.claim(2)).containsExactly(first, second);
        JobId next = rig.enqueue(job("mail").gate("a"));
        JobId third = rig.enqueue(job("mail").gate("b").gate("c"));

        lock("b");
        Turn turn = worker.turn(2, done(first), done(second));
        assertThat(turn.busy()).containsExactly(second.value());
        assertThat(turn.refused()).isEmpty();
        assertThat(turn.started())
                .as("one slot is kept for the outcome that is on its way")
                .extracting(row -> JobId.of(row.id()))
                .containsExactly(next);
        assertThat(worker.holding()).containsExactlyInAnyOrder(second, next);
        foreign.commit();

        Turn again = worker.turn(1, done(second));
        assertThat(again.busy()).isEmpty();
        assertThat(again.refused()).isEmpty();
        assertThat(again.started()).extracting(row -> JobId.of(row.id())).containsExactly(third);
    }

    @Test
    void aLaneAtALockedGateHoldsUpNoOther() throws SQLException {
        JobId first = rig.enqueue(job("mail").gate("a"));
        JobId second = rig.enqueue(job("mail").gate("b"));
        JobId third = rig.enqueue(job("mail").gate("c"));
        JobId both = rig.enqueue(job("mail").gate("b").gate("d"));
        rig.enqueue(job("elsewhere").gate("a").gate("b").gate("c").gate("d"));
        ScriptedWorker elsewhere = rig.worker("elsewhere"); // so that each gate has a row
        elsewhere.claim(1);
        elsewhere.finishAll();

        lock("b");
        Turn turn = worker.turn(9);
        assertThat(turn.started()).extracting(row -> JobId.of(row.id())).containsExactlyInAnyOrder(first, third);
        assertThat(turn.nextWake()).as("the others are looked at again at once").isEqualTo(Duration.ZERO);
        foreign.commit();

        assertThat(worker.claim(9)).containsExactly(second);
        worker.finishAll();
        assertThat(worker.claim(9)).containsExactly(both);
    }

    @Test
    void whatWasLeftStandsInItsOrder() throws SQLException {
        JobId holder = rig.enqueue(job("mail").gate("b"));
        assertThat(worker.claim(1)).containsExactly(holder);
        JobId first = rig.enqueue(job("mail").gate("a"));
        List<JobId> line = rig.enqueue(3, job("mail").gate("b"));

        lock("b");
        assertThat(worker.turn(9).started())
                .extracting(row -> JobId.of(row.id()))
                .containsExactly(first);
        foreign.commit();

        for (JobId each : line) {
            assertThat(worker.claim(9)).isEmpty();
            worker.finishAll();
            assertThat(worker.claim(9)).containsExactly(each);
        }
    }

    private EndedLease done(JobId job) {
        return new EndedLease(worker.lease(job), new Outcome.Succeeded(null));
    }

    private void lock(String gate) throws SQLException {
        try (Statement statement = foreign.createStatement()) {
            statement.execute("select * from headgate_gate where key = 'gate:%s' for update".formatted(gate));
        }
    }
}
