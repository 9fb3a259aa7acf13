package dev.headgate.proof.contract;

import static dev.headgate.limit.Limit.concurrency;
import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.headgate.Enqueuer;
import dev.headgate.Headgate;
import dev.headgate.JsonJob;
import dev.headgate.internal.job.JobStore;
import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobType;
import dev.headgate.limit.BacklogFullException;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.proof.Rig;
import dev.headgate.proof.StoreFixture;
import dev.headgate.store.CallerTransaction;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * For stores that join a caller's transaction: what is done in it is done on the caller's connection, and neither takes
 * another connection nor waits for one. Each test shuts the store itself while the caller's transaction runs.
 */
public interface CallerTransactionContract extends StoreFixture {
    /** A transaction of the caller's, on a connection that does not belong to the store. */
    interface Caller extends AutoCloseable {
        CallerTransaction transaction();

        void commit();

        /** Rolls back what was not committed, and closes the connection. */
        @Override
        void close();
    }

    /** Begins a transaction in the database that {@link #open} opened last. */
    Caller begin();

    @Test
    default void everyWayToEnqueueUsesTheCallersConnectionAlone(Rig rig) {
        rig.policy("gate small", "budget 4").policy("gate capped", "backlog 2").policy("gate open", "concurrency 5");
        JobId first = rig.enqueue(job("default"));
        JobType<String> type = JobType.of("t", String.class);
        ShutBackend shut = new ShutBackend(reopen(rig.time()));
        try (shut;
                Headgate headgate = Headgate.open(shut);
                Caller caller = begin()) {
            shut.shut();
            Enqueuer in = headgate.in(caller.transaction());
            in.enqueue(type, "plain");
            in.enqueue(type, "gated", job -> job.gate("open").priority(3));
            in.enqueue(type, "later", job -> job.delay(Duration.ofHours(1)));
            in.enqueue(type, "last", job -> job.after(first));
            in.enqueueAll(type, List.of("one", "two"));
            in.enqueueJson("t", "{}", job -> {});
            in.enqueueAllJson(
                    List.of(new JsonJob("t", "1", job -> {}), new JsonJob("u", "2", job -> job.gate("open"))));
            assertThat(in.enqueue(type, "once", job -> job.dedup("key")).isNew())
                    .isTrue();
            assertThat(in.enqueue(type, "once", job -> job.dedup("key")).isNew())
                    .isFalse();
            in.enqueueAll(type, List.of("one", "two"), (each, job) -> job.gate("capped"));
            assertThatExceptionOfType(BacklogFullException.class)
                    .isThrownBy(() -> in.enqueue(type, "one too many", job -> job.gate("capped")));
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> in.enqueue(
                            type, "too large", job -> job.gate("small").cost(5)));
            caller.commit();
            shut.open();
            assertThat(headgate.list(JobFilter.all())).hasSize(1 + 12);
        }
    }

    /** The copy of the policies that an enqueue goes by may be two seconds old, and no older. */
    @Test
    default void anOldCopyOfThePoliciesIsReadAgainOnTheCallersConnection(Rig rig) {
        AtomicLong nanos = new AtomicLong();
        ShutBackend shut = new ShutBackend(reopen(rig.time()));
        try (shut) {
            JobStore store = new JobStore(shut, nanos::get);
            rig.policy("gate small", "budget 4");
            nanos.addAndGet(Duration.ofSeconds(3).toNanos());
            shut.shut();
            for (int transactions = 0; transactions < 2; transactions++) {
                try (Caller caller = begin()) {
                    assertThatIllegalArgumentException()
                            .isThrownBy(() -> store.enqueue(
                                    caller.transaction(),
                                    List.of(job("mail").gate("small").cost(5).build())))
                            .withMessageContaining("small");
                    store.enqueue(
                            caller.transaction(),
                            List.of(job("mail").gate("small").cost(4).build()));
                    caller.commit();
                }
                nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            }
            shut.open();
            assertThat(rig.store().list(JobFilter.all())).hasSize(2);
        }
    }

    @Test
    default void whetherProvidedLimitsAreStoredIsAskedOnTheCallersConnection(Rig rig) {
        JobType<String> type = JobType.of("t", String.class);
        ShutBackend shut = new ShutBackend(reopen(rig.time()));
        try (shut;
                Headgate headgate = Headgate.open(shut)) {
            headgate.policies()
                    .provider(key -> key.scope() == GateKey.Scope.GATE
                            ? Optional.of(GatePolicy.of(concurrency(3)))
                            : Optional.empty());
            headgate.policies().refresh(GateKey.gate("known"));
            try (Caller caller = begin()) {
                shut.shut();
                Enqueuer in = headgate.in(caller.transaction());
                in.enqueue(type, "fine", job -> job.gate("known"));
                assertThatIllegalStateException()
                        .isThrownBy(() -> in.enqueue(type, "not yet", job -> job.gate("unknown")))
                        .withMessageContaining("gate unknown")
                        .withMessageContaining("call policies().refresh");
                caller.commit();
            }
            shut.open();
            assertThat(headgate.list(JobFilter.all())).hasSize(1);
        }
    }
}
