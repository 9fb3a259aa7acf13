package dev.headgate.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.Enqueuer;
import dev.headgate.Headgate;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobType;
import dev.headgate.store.jdbc.JdbcTransaction;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * With the clock of the server a plain enqueue is one statement, checked against a copy of the policies. The statement finds
 * out whether the copy is out of date.
 */
class PostgresRequiredGatesTest {
    private static final JobType<String> ASK = JobType.of("ask", String.class);

    private final String url = TestServer.emptyStore();

    @Test
    void anEnqueueRightAfterTheChangeOfAnotherProcessIsRefused() {
        both(enqueuer -> {
            assertRefused(() -> enqueuer.enqueue(ASK, "plain"));
            assertRefused(() -> enqueuer.enqueue(ASK, "gated", job -> job.gate("other")));
            assertRefused(() -> enqueuer.enqueueAll(ASK, List.of("a", "b")));
            assertRefused(() -> enqueuer.enqueueAll(ASK, List.of("provider", "other"), (gate, job) -> job.gate(gate)));
        });
    }

    @Test
    void anotherChangeLetsItPass() {
        both(enqueuer -> {
            enqueuer.enqueue(JobType.of("other", String.class), "plain");
            enqueuer.enqueueAll(
                    ASK, List.of("a", "b"), (each, job) -> job.gate("provider").priority(each.charAt(0)));
        });
        try (Headgate headgate = Headgate.open(url)) {
            assertThat(headgate.list(JobFilter.all())).hasSize(2 * 4);
        }
    }

    private static void assertRefused(Runnable enqueue) {
        assertThatIllegalArgumentException().isThrownBy(enqueue::run).withMessageContaining("requires provider");
    }

    /** Once in a transaction of its own, and once in the caller's, each right after a change by another process. */
    private void both(Consumer<Enqueuer> enqueues) {
        try (Headgate headgate = Headgate.open(url);
                Headgate other = Headgate.open(url)) {
            headgate.enqueue(ASK, "reads the policies");
            require(other);
            enqueues.accept(headgate);
            int stored = headgate.list(JobFilter.all()).size();
            other.policies().removeType("ask");
            headgate.enqueue(ASK, "reads the policies");
            require(other);
            try (Connection connection = DriverManager.getConnection(url)) {
                connection.setAutoCommit(false);
                enqueues.accept(headgate.in(JdbcTransaction.of(connection)));
                connection.commit();
            } catch (java.sql.SQLException failed) {
                throw new IllegalStateException(failed);
            }
            assertThat(headgate.list(JobFilter.all())).hasSize(2 * stored);
        }
    }

    private static void require(Headgate other) {
        other.policies()
                .replacing()
                .gate("provider", gate -> gate.maxInFlight(1))
                .type("ask", type -> type.requires("provider"));
    }
}
