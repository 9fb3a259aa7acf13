package dev.headgate.internal.worker;

import static dev.headgate.internal.worker.Plant.WORK;
import static dev.headgate.limit.Limit.concurrency;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.Worker;
import dev.headgate.handler.JobContext;
import dev.headgate.internal.worker.Plant.Order;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.spi.Wake;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a worker fills its slots. */
class WorkerTest {
    private final Plant plant = new Plant();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    @AfterEach
    void close() {
        plant.close();
    }

    /** Takes long enough for others to be there too. */
    private void crowd(Order order, JobContext job) {
        most.accumulateAndGet(running.incrementAndGet(), Math::max);
        LockSupport.parkNanos(20_000);
        running.decrementAndGet();
    }

    private static List<Order> orders(int count) {
        return IntStream.range(0, count).mapToObj(Order::new).toList();
    }

    @Test
    void itNeverRunsMoreThanItsSlots() throws Exception {
        plant.headgate.handle(WORK, this::crowd);
        plant.headgate.enqueueAll(WORK, orders(2_000));
        Plant.awaitIdle(plant.headgate.worker("default").slots(7).start());
        assertThat(most.get()).isBetween(1, 7);
    }

    @Test
    void aSleeperGetsUpWhileAJobIsBeingWritten() throws Exception {
        plant.headgate.handle(WORK, this::crowd);
        Worker worker = plant.headgate
                .worker("default")
                .pollEvery(Duration.ofMinutes(1))
                .start();
        Plant.awaitIdle(worker);
        CountDownLatch isUp = new CountDownLatch(1);
        plant.backend.afterWrite(thread -> {
            if (thread.contains("claims")) {
                isUp.countDown();
            }
        });
        // Once it has slept for long enough; nothing is ever written.
        for (int i = 0; i < 100_000 && !isUp.await(1, TimeUnit.MILLISECONDS); i++) {
            plant.memory.publish(Set.of(new Wake.Coming("default")));
        }
        assertThat(isUp.getCount()).isZero();
    }

    @Test
    void twoWorkersKeepAGatesLimitTogether() throws Exception {
        plant.headgate.policies().gate("api", g -> g.limit(concurrency(3)));
        plant.headgate.handle(WORK, this::crowd);
        plant.headgate.enqueueAll(WORK, orders(500), (order, job) -> job.gate("api"));
        try (Plant other = plant.reopen()) {
            other.headgate.handle(WORK, this::crowd);
            Worker one = plant.work();
            Worker two = other.work();
            Plant.awaitIdle(one);
            Plant.awaitIdle(two);
            Plant.awaitIdle(one);
        }
        assertThat(most.get()).isBetween(1, 3);
        assertThat(plant.headgate.overview().jobs())
                .allMatch(count -> count.state() == JobState.SUCCEEDED || count.jobs() == 0);
    }

    @Test
    void anIdleWorkerStartsAJobWithoutWaitingForItsPoll() throws Exception {
        plant.headgate.handle(WORK, (order, job) -> {});
        Worker worker =
                plant.headgate.worker("default").pollEvery(Duration.ofHours(1)).start();
        Plant.awaitIdle(worker);
        assertThat(plant.ended(plant.enqueue()).state()).isEqualTo(JobState.SUCCEEDED);
        JobId delayed = plant.headgate
                .enqueue(WORK, new Order(1), job -> job.delay(Duration.ofMillis(30)))
                .id();
        assertThat(plant.ended(delayed).state()).isEqualTo(JobState.SUCCEEDED);
    }

    /** A worker without a free slot takes no turn, but what becomes due is put into its lane all the same. */
    @Test
    void aJobThatBecomesDueWhileAllSlotsAreBusyTakesItsPlaceThen() throws Exception {
        List<Integer> order = new CopyOnWriteArrayList<>();
        CountDownLatch isBusy = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        plant.headgate.handle(WORK, (work, job) -> {
            order.add(work.number());
            isBusy.countDown();
            if (!mayEnd.await(Plant.SOON.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("the test did not let it end");
            }
        });
        plant.headgate.enqueue(WORK, new Order(1));
        plant.headgate.worker("default").slots(1).pollEvery(Duration.ofHours(1)).start();
        Plant.await(isBusy);
        JobId due = plant.headgate
                .enqueue(WORK, new Order(2), job -> job.delay(Duration.ofMillis(30)))
                .id();
        CountDownLatch never = new CountDownLatch(1);
        for (int i = 0; i < 100_000 && plant.status(due).state() != JobState.QUEUED; i++) {
            assertThat(never.await(1, TimeUnit.MILLISECONDS)).isFalse();
        }
        JobId younger = plant.headgate.enqueue(WORK, new Order(3)).id();
        mayEnd.countDown();
        plant.ended(younger);
        assertThat(order).containsExactly(1, 2, 3);
    }

    @Test
    void platformThreadsAreReusedWithoutALeftOverInterruption() throws Exception {
        AtomicInteger surprised = new AtomicInteger();
        CountDownLatch never = new CountDownLatch(1);
        plant.headgate.handle(WORK, (order, job) -> {
            if (order.number() % 10 == 0) {
                never.await();
            } else if (Thread.currentThread().isInterrupted()
                    || Thread.currentThread().isVirtual()) {
                surprised.incrementAndGet();
            }
        });
        plant.headgate.enqueueAll(WORK, orders(300), (order, job) -> {
            if (order.number() % 10 == 0) {
                job.timeout(Duration.ofMillis(1)).attempts(1);
            }
        });
        Plant.awaitIdle(
                plant.headgate.worker("default").slots(4).platformThreads().start());
        assertThat(surprised).hasValue(0);
    }

    /** The worker's own threads write meanwhile, in any order: only what nothing but the handler can cause is looked at. */
    @Test
    void storeWorkOfAHandlerRunsOnAPlatformThread() throws Exception {
        List<String> writers = new CopyOnWriteArrayList<>();
        List<String> virtual = new CopyOnWriteArrayList<>();
        plant.backend.afterWrite(thread -> (Thread.currentThread().isVirtual() ? virtual : writers).add(thread));
        plant.headgate.handle(WORK, (order, job) -> {
            if (order.number() == 1) {
                plant.headgate.enqueue(WORK, new Order(2));
            }
        });
        plant.work();
        plant.ended(plant.enqueue());
        assertThat(writers).anyMatch(thread -> thread.startsWith("headgate-store-"));
        assertThat(virtual).isEmpty();
        assertThatThrownBy(() -> onVirtualThread(() -> plant.headgate.policies().queue("", q -> q.maxInFlight(1))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static void onVirtualThread(Runnable work) throws Exception {
        FutureTask<Boolean> task = new FutureTask<>(work, true);
        Thread.ofVirtual().start(task).join();
        try {
            task.get();
        } catch (ExecutionException failed) {
            throw (Exception) failed.getCause();
        }
    }

    @Test
    void aJobForAnotherQueueIsLeftAlone() throws Exception {
        plant.headgate.handle(WORK, (order, job) -> {});
        Worker worker = plant.work();
        JobId id = plant.headgate
                .enqueue(WORK, new Order(1), job -> job.queue("other"))
                .id();
        Plant.awaitIdle(worker);
        assertThat(plant.status(id).state()).isEqualTo(JobState.QUEUED);
        assertThat(plant.headgate.explain(id).summary()).contains("no worker serves queue other");
    }

    @Test
    void allFaultsOfAWorkerAreReportedAtOnce() {
        assertThatThrownBy(() -> plant.headgate
                        .worker()
                        .slots(0)
                        .lease(Duration.ofMillis(1))
                        .name("")
                        .drain(Duration.ofSeconds(-1))
                        .start())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("queues: ", "slots: ", "lease: ", "name: ", "drain: ");
    }
}
