package dev.headgate.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.internal.job.JobStore;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.proof.Jobs;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.store.jdbc.JdbcTransaction;
import dev.headgate.testkit.VirtualTime;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SqliteCallerTransactionTest {
    private static final JobFilter ALL = JobFilter.all();

    @TempDir
    Path folder;

    @Test
    void jobsAppearWithTheCallersCommitAndVanishWithItsRollback() throws SQLException {
        String url = "jdbc:sqlite:" + folder.resolve("jobs.db");
        try (JobStore store = new JobStore(SqliteBackend.open(url));
                Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            store.enqueue(
                    JdbcTransaction.of(connection),
                    List.of(Jobs.job("mail").gate("a").build()));
            assertThat(store.list(ALL)).isEmpty();
            connection.rollback();
            assertThat(store.list(ALL)).isEmpty();
            store.enqueue(
                    JdbcTransaction.of(connection),
                    List.of(Jobs.job("mail").gate("a").build()));
            connection.commit();
            assertThat(store.list(ALL)).hasSize(1);
        }
    }

    @Test
    void aJobThatWaitsForAnotherIsLookedAtAfterTheCommit() throws SQLException {
        String url = "jdbc:sqlite:" + folder.resolve("jobs.db");
        VirtualTime time = new VirtualTime();
        try (Rig rig = new Rig(SqliteBackend.open(url, time), time);
                Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            ScriptedWorker worker = rig.worker("mail");
            JobId first = rig.enqueue(Jobs.job("mail"));
            worker.claim(1);
            worker.finishAll();
            long last = rig.store()
                    .enqueue(
                            JdbcTransaction.of(connection),
                            List.of(Jobs.job("mail").after(first).build()))
                    .getFirst()
                    .id();
            connection.commit();
            assertThat(rig.state(JobId.of(last))).isEqualTo(JobState.AWAITING);
            assertThat(worker.claim(1)).containsExactly(JobId.of(last));
        }
    }

    @Test
    void anActThatReadsBeforeItWritesKeepsOtherWritersOut() throws SQLException {
        String url = "jdbc:sqlite:" + folder.resolve("jobs.db");
        try (SqliteBackend store = SqliteBackend.open(url);
                Connection caller = DriverManager.getConnection(url);
                Connection other = DriverManager.getConnection(url + "?busy_timeout=0");
                Statement writing = other.createStatement()) {
            caller.setAutoCommit(false);
            String seen = store.join(JdbcTransaction.of(caller), tx -> {
                tx.policies();
                assertThatThrownBy(() -> writing.execute("begin immediate")).hasMessageContaining("SQLITE_BUSY");
                return "read";
            });
            assertThat(seen).isEqualTo("read");
            caller.commit();
            writing.execute("begin immediate");
            writing.execute("rollback");
        }
    }

    @Test
    void aConnectionThatCommitsByItselfIsRefused() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> JdbcTransaction.of(connection))
                    .withMessageContaining("setAutoCommit(false)");
        }
    }
}
