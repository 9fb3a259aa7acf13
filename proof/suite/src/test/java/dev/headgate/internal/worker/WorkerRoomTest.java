package dev.headgate.internal.worker;

import static dev.headgate.handler.HandlerOptions.DEFAULT;
import static dev.headgate.internal.worker.Plant.WORK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.Worker;
import dev.headgate.handler.JobContext;
import dev.headgate.handler.JobHandler;
import dev.headgate.internal.resource.Profile;
import dev.headgate.internal.resource.ResourceStore;
import dev.headgate.internal.worker.Plant.Order;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.resource.Headroom;
import dev.headgate.resource.Needs;
import dev.headgate.resource.TypeFigures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A real worker and its room. */
class WorkerRoomTest {
    private final Plant plant = new Plant();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    @AfterEach
    void close() {
        plant.close();
    }

    private void crowd(Order order, JobContext job) {
        most.accumulateAndGet(running.incrementAndGet(), Math::max);
        LockSupport.parkNanos(100_000);
        running.decrementAndGet();
    }

    private void flood(int jobs) {
        plant.headgate.enqueueAll(WORK, Collections.nCopies(jobs, new Order(1)));
    }

    @Test
    void noMoreRunAtOnceThanThereIsRoomFor() throws Exception {
        plant.headgate.handle(WORK, this::crowd, DEFAULT.needs(Needs.of("desk", 2)));
        flood(300);
        Plant.awaitIdle(plant.headgate
                .worker("default")
                .slots(20)
                .headroom(Headroom.system().amount("desk", 7))
                .start());
        assertThat(most.get()).isBetween(1, 3);
        assertThat(plant.headgate.overview().jobs())
                .allMatch(count -> count.state() == JobState.SUCCEEDED || count.jobs() == 0);
    }

    @Test
    void whatAnotherWorkerHasRoomForGoesThereAtOnce() throws Exception {
        plant.headgate.handle(WORK, this::crowd, DEFAULT.needs(Needs.of("desk", 2)));
        Worker small = plant.headgate
                .worker("default")
                .pollEvery(Duration.ofHours(1))
                .headroom(Headroom.system().amount("desk", 1))
                .start();
        Plant.awaitIdle(small);
        try (Plant other = plant.reopen()) {
            other.headgate.handle(WORK, this::crowd, DEFAULT.needs(Needs.of("desk", 2)));
            Worker large = other.headgate
                    .worker("default")
                    .pollEvery(Duration.ofHours(1))
                    .headroom(Headroom.system().amount("desk", 2))
                    .start();
            Plant.awaitIdle(large);
            for (int i = 0; i < 20; i++) {
                assertThat(plant.ended(plant.enqueue()).state()).isEqualTo(JobState.SUCCEEDED);
            }
        }
    }

    @Test
    void twoWorkersOfOneProcessShareItsMemory() throws Exception {
        long third = Runtime.getRuntime().maxMemory() * 3 / 10;
        CountDownLatch end = new CountDownLatch(1);
        JobHandler<Order> held = (order, job) -> {
            running.incrementAndGet();
            end.await();
        };
        plant.headgate.handle(WORK, held, DEFAULT.needs(Needs.memory(third)));
        flood(8);
        Worker first =
                plant.headgate.worker("default").headroom(Headroom.system()).start();
        try (Plant other = plant.reopen()) {
            other.headgate.handle(WORK, held, DEFAULT.needs(Needs.memory(third)));
            Worker second =
                    other.headgate.worker("default").headroom(Headroom.system()).start();
            while (first.passedOver() == 0 || second.passedOver() == 0) {
                Thread.onSpinWait();
            }
            assertThat(first.busy() + second.busy()).isEqualTo(2);
            end.countDown();
            Plant.awaitIdle(first);
            Plant.awaitIdle(second);
        }
        assertThat(running.get()).isEqualTo(8);
    }

    @Test
    void aWorkerWithoutTheResourceLeavesTheJobAloneAndExplainSaysSo() throws Exception {
        plant.headgate.handle(WORK, this::crowd, DEFAULT.needs(Needs.of("gpu", 1)));
        Worker worker = plant.work();
        JobId id = plant.enqueue();
        Plant.awaitIdle(worker);
        assertThat(worker.passedOver()).isEqualTo(1);
        assertThat(plant.status(id).leases().attempt()).isZero();
        assertThat(plant.headgate.explain(id).summary())
                .contains("too big for every known worker: needs gpu 1", "has no gpu, or its gauge does not answer");
    }

    @Test
    void aWorkerThatIgnoresItsRoomStartsWhatever() throws Exception {
        plant.headgate.handle(WORK, this::crowd, DEFAULT.needs(Needs.of("gpu", 1)));
        JobId id = plant.enqueue();
        plant.headgate.worker("default").headroom(Headroom.ignored()).start();
        assertThat(plant.ended(id).state()).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void aWorkerWithLittleTimeStartsOnlyWhatItCanFinish() throws Exception {
        plant.headgate.handle(WORK, this::crowd, DEFAULT.expected(Duration.ofMinutes(2)));
        JobId id = plant.enqueue();
        Worker hurried = plant.headgate
                .worker("default")
                .finishWithin(Duration.ofMinutes(1))
                .start();
        Plant.awaitIdle(hurried);
        assertThat(plant.status(id).state()).isEqualTo(JobState.QUEUED);
        assertThat(plant.headgate.explain(id).summary()).contains("and it takes 2m");
        hurried.finishWithin(Duration.ofMinutes(3));
        assertThat(plant.ended(id).state()).isEqualTo(JobState.SUCCEEDED);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsLearntIsKeptInTheStoreWhenAWorkerLeaves(boolean isPlatform) throws Exception {
        plant.headgate.handle(WORK, (order, job) -> {
            byte[] large = new byte[8 << 20];
            large[order.number()] = 1;
        });
        flood(10);
        var wanted = plant.headgate.worker("default").headroom(Headroom.system());
        Worker worker = (isPlatform ? wanted.platformThreads() : wanted).start();
        Plant.awaitIdle(worker);
        worker.stop();
        Profile profile = new ResourceStore(plant.memory).profiles().get("work");
        assertThat(profile).isNotNull();
        assertThat(profile.runs()).isEqualTo(10);
        assertThat(profile.micros()).isPositive();
        TypeFigures.Memory memory = profile.memory();
        assertThat(memory).isNotNull();
        assertThat(memory.bytes()).isBetween(8L << 20, 12L << 20);
        assertThat(memory.runs()).isBetween(5, 10);
    }

    /** But for the kind of thread, a run that is measured is like any other. */
    @Test
    void aMeasuredRunHasAThreadOfItsOwnAndIsInterruptedLikeAnyOther() throws Exception {
        ThreadLocal<Boolean> mark = new ThreadLocal<>();
        List<String> threads = Collections.synchronizedList(new ArrayList<>());
        AtomicInteger marked = new AtomicInteger();
        plant.headgate.handle(WORK, (order, job) -> {
            marked.addAndGet(mark.get() == null ? 0 : 1);
            mark.set(true);
            threads.add(Thread.currentThread().isVirtual() ? "virtual" : "platform");
            assertThat(Thread.currentThread().isDaemon()).isTrue();
            assertThat(Thread.currentThread().getName())
                    .isEqualTo("headgate-job-" + job.id().value());
            if (order.number() == 0) {
                new CountDownLatch(1).await();
            }
        });
        JobId stuck = plant.headgate
                .enqueue(
                        WORK,
                        new Order(0),
                        job -> job.timeout(Duration.ofMillis(5)).attempts(1))
                .id();
        flood(30);
        Plant.awaitIdle(plant.headgate
                .worker("default")
                .slots(1)
                .headroom(Headroom.system())
                .start());
        assertThat(plant.status(stuck).state()).isEqualTo(JobState.FAILED);
        assertThat(marked.get()).isZero();
        assertThat(threads.subList(0, 6)).containsOnly("platform");
        assertThat(threads).hasSize(31);
        assertThat(threads.stream().filter("virtual"::equals)).hasSizeGreaterThan(20);
    }

    /** Two workers, nothing declared, virtual threads: what a program does that has read no guide. */
    @ParameterizedTest
    @CsvSource({"UseSerialGC, 65536", "UseG1GC, 65536", "UseG1GC, 1024", "UseG1GC, 512"})
    void thirtyHeavyJobsInOneSmallProcessEndWithoutAnOutOfMemoryError(String collector, int kilobytes)
            throws Exception {
        FloodProcess.End end = HeavyProcess.run(collector, kilobytes << 10);
        assertThat(end.lines()).last().isEqualTo("succeeded 30");
        assertThat(end.exit()).isZero();
        assertThat(end.lines()).as("its garbage is no part of what is taken").contains("room is wide");
    }

    @Test
    void theRoomOfAHandlerThatIgnoresItsEndIsKeptUntilItsThreadIsDone() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch gate = new CountDownLatch(1);
        plant.headgate.handle(
                WORK,
                (order, job) -> {
                    begun.countDown();
                    boolean isOpen = false;
                    while (!isOpen) {
                        try {
                            gate.await();
                            isOpen = true;
                        } catch (InterruptedException ignored) {
                            job.isCancelled();
                        }
                    }
                },
                DEFAULT.needs(Needs.of("desk", 1)));
        JobId first = plant.headgate
                .enqueue(WORK, new Order(1), job -> job.timeout(Duration.ofMillis(5)))
                .id();
        Worker worker = plant.headgate
                .worker("default")
                .headroom(Headroom.system().amount("desk", 1))
                .start();
        Plant.await(begun);
        JobId second = plant.enqueue();
        assertThat(plant.status(second).state()).isEqualTo(JobState.QUEUED);
        assertThat(worker.busy()).isEqualTo(1);
        gate.countDown();
        assertThat(plant.ended(second).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(plant.status(first).leases().attempt()).isPositive();
    }

    @Test
    void aTimeOfZeroIsRefused() {
        assertThatThrownBy(() -> plant.headgate
                        .worker("default")
                        .finishWithin(Duration.ZERO)
                        .start())
                .hasMessageContaining("finishWithin: expected a positive duration");
        assertThatThrownBy(() -> DEFAULT.expected(Duration.ZERO))
                .hasMessageContaining("expected: expected a positive duration");
    }

    /** The control shows that the flood is one: without minding, the same JVM dies of it. */
    @Test
    void aFloodOfHeavyJobsEndsWithoutAnOutOfMemoryErrorInASmallHeap() throws Exception {
        FloodProcess.End minding = FloodProcess.run("minding");
        assertThat(minding.lines()).last().isEqualTo("done");
        assertThat(minding.exit()).isZero();
        assertThat(FloodProcess.run("ignoring").exit()).isEqualTo(3);
    }
}
