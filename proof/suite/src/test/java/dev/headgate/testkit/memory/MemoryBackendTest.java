package dev.headgate.testkit.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.job.Cost;
import dev.headgate.job.JobSpec;
import dev.headgate.job.JobSpec.Dedup;
import dev.headgate.job.JobSpec.Order;
import dev.headgate.job.JobSpec.Tries;
import dev.headgate.job.JobState;
import dev.headgate.job.Lane;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import dev.headgate.policy.PolicyChange;
import dev.headgate.policy.PolicyChange.Kind;
import dev.headgate.policy.PolicyEntry;
import dev.headgate.spi.Backend;
import dev.headgate.spi.BacklogTable.Caps;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.JobTable.NewRow;
import dev.headgate.spi.PolicyTable.Note;
import dev.headgate.spi.ShareRow.OrderKey;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.spi.Wake;
import dev.headgate.spi.WorkerRow;
import dev.headgate.store.CallerTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What is special about memory: the journal and the one lock. What it shares with all stores is in the contracts. */
class MemoryBackendTest {
    private static final Lane LANE = new Lane("mail", List.of("a"));
    private static final GateKey GATE = GateKey.gate("a");

    private final MemoryBackend backend = new MemoryBackend(() -> 1_000_000);

    private static NewRow job() {
        JobSpec spec = new JobSpec(
                LANE,
                "send",
                "{}",
                Cost.of(1),
                Order.NORMAL,
                new Dedup("once", null),
                new Tries(3, null, null, null),
                null);
        return new NewRow(spec, JobState.QUEUED, 0, 0, null, Caps.NONE);
    }

    private static void changeEverything(StoreTransaction tx) {
        long id = tx.jobs().insert(List.of(job())).get().getFirst().id();
        tx.lanes().ring(List.of(HeadOfLane.of(LANE, 1, Cost.ONE)));
        tx.lanes().file(tx.lanes().takeArrivals(List.of("mail"), 10, 0).get(), lane -> "");
        tx.gates().lock(new TreeSet<>(Set.of(GATE)));
        PolicyEntry limits = new PolicyEntry(GatePolicy.of(Limit.concurrency(1)), null);
        tx.policyTable()
                .save(new Note(0, "ada", ""), List.of(new PolicyChange(GATE, Kind.SET, PolicyEntry.NOTHING, limits)));
        tx.workers().insert(new WorkerRow("w", "w", List.of("mail"), 1, 0, 10, List.of()));
        tx.jobs().endWaiting(id, JobState.CANCELLED, "gone", 5);
    }

    private static List<Object> everything(StoreTransaction tx) {
        return List.of(
                tx.jobs().counts(100),
                tx.history().counts(100),
                tx.gates().list(null, 10),
                tx.workers().list(),
                tx.lanes()
                        .lockReady(List.of(OrderKey.unshared(GateKey.queue("mail"))), 10)
                        .get(),
                tx.policies().stored(),
                tx.policies().version());
    }

    @Test
    void aTransactionThatThrowsLeavesNothing() {
        List<Object> before = backend.read(MemoryBackendTest::everything);
        assertThatThrownBy(() -> backend.write(tx -> {
                    changeEverything(tx);
                    throw new IllegalStateException("thrown on purpose");
                }))
                .hasMessage("thrown on purpose");
        assertThat(backend.<List<Object>>read(MemoryBackendTest::everything)).isEqualTo(before);
    }

    @Test
    void aTransactionThatEndsStays() {
        backend.write(tx -> {
            changeEverything(tx);
            return null;
        });
        assertThat(backend.<List<?>>read(tx -> tx.history().counts(100))).hasSize(1);
        assertThat(backend.<List<?>>read(tx -> tx.lanes()
                        .lockReady(List.of(OrderKey.unshared(GateKey.queue("mail"))), 10)
                        .get()))
                .hasSize(1);
        assertThat(backend.<Long>read(tx -> tx.policies().version())).isEqualTo(1L);
    }

    @Test
    void aReadThatWritesIsCaughtAndUndone() {
        assertThatIllegalStateException()
                .isThrownBy(() -> backend.read(tx -> tx.jobs().insert(List.of(job()))));
        assertThat(backend.<List<?>>read(tx -> tx.jobs().counts(100))).isEmpty();
    }

    @Test
    void aTransactionInsideATransactionIsRefused() {
        assertThatIllegalStateException()
                .isThrownBy(() -> backend.write(tx -> backend.<Long>read(StoreTransaction::now)))
                .withMessageContaining("a transaction is open");
    }

    @Test
    void aCallersTransactionCannotBeJoined() {
        CallerTransaction foreign = new CallerTransaction() {};
        assertThatIllegalArgumentException()
                .isThrownBy(() -> backend.join(foreign, tx -> null))
                .withMessageContaining("memory store");
    }

    @Test
    void everyBackendOfTheSameStoreHearsAWakeUntilItLeaves() {
        List<Wake> heard = new ArrayList<>();
        Backend other = backend.reopen();
        Backend.Subscription subscription = other.listen(heard::add);
        backend.publish(Set.of(new Wake.Queue("mail")));
        subscription.close();
        backend.publish(Set.of(new Wake.Queue("late")));
        assertThat(heard).containsExactly(new Wake.Queue("mail"));
    }

    @Test
    void aClosedBackendAnswersNothingAndItsJobsRemain() {
        backend.write(tx -> tx.jobs().insert(List.of(job())));
        backend.close();
        assertThatIllegalStateException().isThrownBy(() -> backend.<Long>read(StoreTransaction::now));
        assertThat(backend.reopen().<List<?>>read(tx -> tx.jobs().counts(100))).hasSize(1);
    }
}
