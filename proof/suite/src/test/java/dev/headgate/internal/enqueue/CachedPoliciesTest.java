package dev.headgate.internal.enqueue;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.internal.job.JobStore;
import dev.headgate.job.JobFilter;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Limit;
import dev.headgate.spi.ForwardingBackend;
import dev.headgate.spi.StoreTransaction;
import dev.headgate.store.StoreUnavailableException;
import dev.headgate.testkit.VirtualTime;
import dev.headgate.testkit.memory.MemoryBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An enqueue goes by a copy of the policies, and one read of them serves all threads. */
class CachedPoliciesTest {
    private static final int THREADS = 8;

    private final AtomicLong nanos = new AtomicLong();
    private final SlowReads backend = new SlowReads();
    private final JobStore store = new JobStore(backend, nanos::get);

    @Test
    void oneReadServesAllThreads() throws Exception {
        List<FutureTask<Integer>> enqueues = enqueueWithAnOldCopy(false);
        assertThat(backend.reads).as("reads while all threads enqueue").hasValue(1);
        backend.goOn.countDown();
        for (FutureTask<Integer> enqueue : enqueues) {
            assertThat(enqueue.get()).isEqualTo(1);
        }
        assertThat(backend.reads).as("reads in all").hasValue(1);
        assertThat(store.list(JobFilter.all())).hasSize(THREADS);
    }

    /** Or the last of them would wait as many times as long as the first. */
    @Test
    void aReadThatFailsFailsForAllThatWaitedForIt() throws Exception {
        List<FutureTask<Integer>> enqueues = enqueueWithAnOldCopy(true);
        backend.goOn.countDown();
        for (FutureTask<Integer> enqueue : enqueues) {
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(enqueue::get)
                    .withCauseInstanceOf(StoreUnavailableException.class);
        }
        assertThat(backend.reads).hasValue(1);
        backend.isAway = false;
        store.enqueue(List.of(job("mail").build()));
        assertThat(backend.reads).as("the next one asks again").hasValue(2);
    }

    @Test
    void aChangeOfPolicyCountsAtOnceThoughTheCopyIsOld() {
        new JobStore(backend, nanos::get).setPolicy(GateKey.gate("small"), GatePolicy.of(Limit.budget(4)));
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        store.enqueue(List.of(job("mail").gate("small").cost(5).build())))
                .withMessageContaining("can never pass gate small");
        assertThat(store.list(JobFilter.all())).isEmpty();
    }

    /** Answers when each of the threads reads, or waits for one that does. */
    private List<FutureTask<Integer>> enqueueWithAnOldCopy(boolean isAway) {
        nanos.addAndGet(Duration.ofSeconds(3).toNanos());
        backend.isAway = isAway;
        backend.isSlow = true;
        backend.reads.set(0);
        List<FutureTask<Integer>> enqueues = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            FutureTask<Integer> enqueue = new FutureTask<>(
                    () -> store.enqueue(List.of(job("mail").build())).size());
            enqueues.add(enqueue);
            threads.add(Thread.ofPlatform().daemon().start(enqueue));
        }
        while (!threads.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING)) {
            Thread.onSpinWait();
        }
        return enqueues;
    }

    /** A store whose reads wait, once they are slow, until they may go on. */
    private static final class SlowReads extends ForwardingBackend {
        final AtomicInteger reads = new AtomicInteger();
        final CountDownLatch goOn = new CountDownLatch(1);
        volatile boolean isSlow;
        volatile boolean isAway;

        SlowReads() {
            super(new MemoryBackend(new VirtualTime()));
        }

        @Override
        public <T extends @Nullable Object> T read(Function<StoreTransaction, T> work) {
            reads.incrementAndGet();
            if (isSlow) {
                try {
                    goOn.await();
                } catch (InterruptedException interrupted) {
                    throw new IllegalStateException(interrupted);
                }
            }
            if (isAway) {
                throw new StoreUnavailableException("away", new IllegalStateException("planted"));
            }
            return super.read(work);
        }
    }
}
