package dev.headgate.internal.worker;

import static dev.headgate.internal.worker.Plant.WORK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Worker;
import dev.headgate.handler.HandlerOptions;
import dev.headgate.handler.RetryPolicy;
import dev.headgate.internal.worker.Plant.Order;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The store goes away and comes back, or does the work and loses the answer: nothing is lost, nothing runs twice. */
class OutageTest {
    private static final int JOBS = 600;

    private final Plant plant = new Plant();
    private final Set<String> leases = ConcurrentHashMap.newKeySet();
    private final AtomicInteger doubles = new AtomicInteger();

    @AfterEach
    void close() {
        plant.close();
    }

    private void note(long job, long epoch) {
        if (!leases.add(job + "/" + epoch)) {
            doubles.incrementAndGet();
        }
    }

    private void enqueueAll() {
        List<Order> orders = IntStream.range(0, JOBS).mapToObj(Order::new).toList();
        plant.headgate.enqueueAll(WORK, orders, (order, job) -> {
            if (order.number() % 3 == 0) {
                job.gate("g" + order.number() % 5);
            }
        });
    }

    private long succeeded() {
        return plant.headgate.overview().jobs().stream()
                .filter(count -> count.state() == JobState.SUCCEEDED)
                .mapToLong(count -> count.jobs())
                .sum();
    }

    @Test
    void outcomesWaitForTheStoreToComeBack() throws Exception {
        CountDownLatch isRunning = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        plant.headgate.handle(WORK, (order, job) -> {
            note(job.id().value(), job.epoch());
            isRunning.countDown();
            mayEnd.await();
        });
        Worker worker = plant.headgate.worker("default").slots(50).start();
        enqueueAll();
        Plant.await(isRunning);
        plant.backend.onRefused(5, plant.backend::heal);
        plant.backend.cutOffAll();
        mayEnd.countDown();
        Plant.awaitIdle(worker);
        assertThat(succeeded()).isEqualTo(JOBS);
        assertThat(leases).hasSize(JOBS);
        assertThat(doubles).hasValue(0);
    }

    /** A program that is older than the tables by now keeps what came of its jobs, and does not make failures of it. */
    @Test
    void anOutcomeIsKeptAsItIsWhileTheStoreRefusesTheProgram() throws Exception {
        CountDownLatch isRunning = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        plant.headgate.handle(WORK, (order, job) -> {
            isRunning.countDown();
            mayEnd.await();
        });
        Worker worker = plant.work();
        JobId job = plant.enqueue();
        Plant.await(isRunning);
        plant.backend.onRefused(5, plant.backend::heal);
        plant.backend.refuseAll();
        mayEnd.countDown();
        Plant.awaitIdle(worker);
        assertThat(plant.status(job).state()).isEqualTo(JobState.SUCCEEDED);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4, 7})
    void aTurnWhoseAnswerWasLostIsFoundOut(int everyNth) throws Exception {
        AtomicInteger turns = new AtomicInteger();
        plant.backend.loseAnswers(
                () -> Thread.currentThread().getName().contains("claims") && turns.incrementAndGet() % everyNth == 0);
        plant.headgate.handle(
                WORK,
                (order, job) -> {
                    note(job.id().value(), job.epoch());
                    if (order.number() % 4 == 0 && job.attempt() == 1) {
                        throw new IOException("once");
                    }
                },
                HandlerOptions.DEFAULT.retry(RetryPolicy.fixed(Duration.ZERO)));
        enqueueAll();
        Worker worker = plant.headgate.worker("default").slots(50).start();
        Plant.awaitIdle(worker);
        assertThat(turns).hasValueGreaterThan(everyNth);
        assertThat(succeeded()).isEqualTo(JOBS);
        assertThat(doubles).hasValue(0);
        assertThat(leases).hasSize(JOBS + JOBS / 4);
        assertThat(plant.headgate.recount()).isEmpty();
    }

    @Test
    void anOutcomeTheStoreCannotKeepDoesNotHoldUpTheOthers() throws Exception {
        plant.backend.choke(ended -> ended.contains("poison"));
        plant.headgate.handleWithResult(WORK, (order, job) -> order.number() == 3 ? "poison" : "fine");
        Worker worker = plant.headgate.worker("default").slots(50).start();
        enqueueAll();
        Plant.awaitIdle(worker);
        assertThat(succeeded()).isEqualTo(JOBS - 1);
        JobId failed = plant.headgate
                .list(dev.headgate.job.JobFilter.all().state(JobState.FAILED))
                .getFirst()
                .id();
        assertThat(plant.status(failed).report().detail())
                .contains("could not be stored")
                .contains("planted");
    }

    @Test
    void aStopWhileTheStoreIsAwayEndsInTime() throws Exception {
        plant.headgate.handle(WORK, (order, job) -> {});
        Worker worker = plant.work();
        Plant.awaitIdle(worker);
        plant.backend.cutOffAll();
        long start = System.nanoTime();
        worker.stop();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Plant.SOON);
    }
}
