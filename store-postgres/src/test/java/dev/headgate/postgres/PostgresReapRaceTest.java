package dev.headgate.postgres;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.lease.EndedLease;
import dev.headgate.internal.lease.Turn;
import dev.headgate.internal.lease.TurnRequest;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.Outcome;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.spi.Backend;
import dev.headgate.spi.ForwardingBackend;
import dev.headgate.spi.JobRow;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.testkit.VirtualTime;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker is reaped on one connection while its last turn commits on another. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresReapRaceTest {
    private final String url = TestServer.freshSchema();
    private final VirtualTime time = new VirtualTime();

    @Test
    void aLeaseThatWasTakenAfterTheLookAtItsWorkerIsNotLeftBehind() throws Exception {
        try (Rig rig = new Rig(PostgresBackend.open(url, time), time);
                HeldCommit held = new HeldCommit(PostgresBackend.open(url, time))) {
            rig.policy("gate a", "concurrency 2");
            JobId first = rig.enqueue(job("mail").gate("a"));
            ScriptedWorker worker = rig.worker("mail");
            worker.claim(1);
            JobId second = rig.enqueue(job("mail").gate("a"));
            EndedLease done = new EndedLease(worker.lease(first), new Outcome.Succeeded(null));

            // It has the locks of the gate and of its own row, and all is done but the commit.
            FutureTask<Turn> turn = LockWaits.start(() ->
                    new JobStore(held).turnaround(new TurnRequest(worker.id(), List.of("mail"), 1, List.of(done))));
            held.isReady.await();
            time.advance(ScriptedWorker.LEASE);
            FutureTask<Integer> reaping = LockWaits.start(rig.store()::reap);
            assertThat(LockWaits.await(url, reaping))
                    .as("the reaping has looked at the worker and waits for the gate")
                    .isTrue();
            held.mayCommit.countDown();

            assertThat(turn.get().started()).extracting(JobRow::id).containsExactly(second.value());
            assertThat(reaping.get()).isZero();
            assertThat(rig.state(first)).isEqualTo(JobState.SUCCEEDED);
            assertThat(rig.store().reap()).as("the next look sees it").isEqualTo(1);
            assertThat(rig.state(second)).isEqualTo(JobState.QUEUED);
            assertThat(rig.leases("gate a")).isZero();
            assertThat(rig.store().recount()).isEmpty();
        }
    }

    /** Writes, and commits when it is told to. */
    private static final class HeldCommit extends ForwardingBackend {
        private final CountDownLatch isReady = new CountDownLatch(1);
        private final CountDownLatch mayCommit = new CountDownLatch(1);

        private HeldCommit(Backend store) {
            super(store);
        }

        @Override
        public <T extends @Nullable Object> T write(Function<StoreTransaction, T> work) {
            return super.write(tx -> {
                T answer = work.apply(tx);
                isReady.countDown();
                try {
                    while (!mayCommit.await(500, TimeUnit.MILLISECONDS)) {
                        tx.workers().list(); // the server ends a transaction that says nothing for long
                    }
                } catch (InterruptedException interrupted) {
                    throw new IllegalStateException(interrupted);
                }
                return answer;
            });
        }
    }
}
