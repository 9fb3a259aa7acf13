package dev.headgate.internal.worker;

import static dev.headgate.internal.worker.Plant.WORK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Worker;
import dev.headgate.internal.job.JobStore;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.spi.Wake;
import dev.headgate.testkit.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A worker that loses its lease, or is about to, stops its handlers and comes back under a new name. */
class LeaseTest {
    private final CountDownLatch isRunning = new CountDownLatch(1);
    private final CountDownLatch isInterrupted = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final List<Long> epochs = new CopyOnWriteArrayList<>();

    /** Blocks on its first run until interrupted, and ends on every other as soon as no loss counts against the job. */
    private void handle(Plant plant, AtomicReference<Duration> leaseLeft) {
        plant.headgate.handleWithResult(WORK, (order, job) -> {
            epochs.add(job.epoch());
            while (job.epoch() > 1 && plant.status(job.id()).leases().lost() > 0) {
                job.checkCancelled(); // until the store has heard that the worker lives
            }
            if (job.epoch() == 1) {
                isRunning.countDown();
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException stopped) {
                    leaseLeft.set(job.leaseLeft());
                    isInterrupted.countDown();
                    mayEnd.await();
                    return "zombie";
                }
            }
            return "sound";
        });
    }

    @Test
    void aWorkerGivenUpForLostIsFencedAndRegistersAnew() throws Exception {
        VirtualTime time = new VirtualTime();
        try (Plant plant = new Plant(time)) {
            handle(plant, new AtomicReference<>());
            Worker worker = plant.work();
            String first = worker.id();
            JobId id = plant.enqueue();
            Plant.await(isRunning);

            time.advance(Duration.ofMinutes(1));
            assertThat(new JobStore(plant.memory.reopen()).reap()).isEqualTo(1);
            plant.memory.publish(Set.of(new Wake.Cancel()));
            Plant.await(isInterrupted);

            JobStatus status = plant.ended(id);
            assertThat(status.state()).isEqualTo(JobState.SUCCEEDED);
            assertThat(plant.headgate.result(id, String.class)).contains("sound");
            assertThat(status.leases().lost()).as("the worker came back alive").isZero();
            assertThat(status.leases().attempt()).isEqualTo(1);
            assertThat(epochs).containsExactly(1L, 2L);
            assertThat(worker.id())
                    .isNotEqualTo(first)
                    .isEqualTo(status.leases().worker());

            mayEnd.countDown();
            Plant.awaitIdle(worker);
            assertThat(plant.headgate.result(id, String.class)).contains("sound");
            assertThat(plant.headgate.recount()).isEmpty();
        }
    }

    @Test
    void whatWasGrantedToAFormerRegistrationDoesNotStart() throws Exception {
        VirtualTime time = new VirtualTime();
        try (Plant plant = new Plant(time)) {
            plant.headgate.handle(WORK, (order, job) -> epochs.add(job.epoch()));
            Worker worker = plant.work();
            String first = worker.id();
            JobStore others = new JobStore(plant.memory.reopen());
            plant.backend.afterWrite(thread -> {
                if (thread.contains("claims")
                        && worker.id().equals(first)
                        && !others.holding(first).isEmpty()) {
                    // The answer is on its way, and meanwhile the worker is given up for lost and comes back.
                    time.advance(Duration.ofMinutes(1));
                    others.reap();
                    plant.memory.publish(Set.of(new Wake.Cancel()));
                    while (worker.id().equals(first)) {
                        Thread.onSpinWait();
                    }
                }
            });
            assertThat(plant.ended(plant.enqueue()).state()).isEqualTo(JobState.SUCCEEDED);
            assertThat(epochs).containsExactly(2L);
        }
    }

    @Test
    void handlersAreInterruptedBeforeALeaseEndsThatCannotBeExtended() throws Exception {
        try (Plant plant = new Plant()) {
            assertInterruptedInTime(plant, () -> plant.backend.cutOff("keeper"), plant.backend::heal);
        }
    }

    @Test
    void aHeartbeatThatHangsHoldsUpNobody() throws Exception {
        CountDownLatch hanging = new CountDownLatch(1);
        try (Plant plant = new Plant()) {
            assertInterruptedInTime(plant, () -> plant.backend.hang("keeper", hanging), hanging::countDown);
        }
    }

    private void assertInterruptedInTime(Plant plant, Runnable fault, Runnable cure) throws Exception {
        AtomicReference<Duration> leaseLeft = new AtomicReference<>(Duration.ZERO);
        plant.headgate.handle(WORK, (order, job) -> {
            epochs.add(job.epoch());
            if (job.epoch() == 1) {
                isRunning.countDown();
                try {
                    new CountDownLatch(1).await();
                } finally {
                    leaseLeft.set(job.leaseLeft());
                    isInterrupted.countDown();
                }
            }
        });
        plant.headgate
                .worker("default")
                .lease(Duration.ofSeconds(2))
                .pollEvery(Duration.ofHours(1))
                .start();
        JobId id = plant.enqueue();
        Plant.await(isRunning);
        fault.run();
        Plant.await(isInterrupted);
        assertThat(leaseLeft.get()).isPositive();
        cure.run();

        JobStatus status = plant.ended(id);
        assertThat(status.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(status.leases().attempt()).isEqualTo(1);
        assertThat(epochs).containsExactly(1L, 2L);
    }

    @Test
    void aDeadWorkersJobsAreTakenOverByALivingOne() throws Exception {
        VirtualTime time = new VirtualTime();
        try (Plant dead = new Plant(time);
                Plant living = dead.reopen()) {
            dead.headgate.handle(WORK, (order, job) -> {
                isRunning.countDown();
                mayEnd.await();
            });
            dead.headgate.worker("default").drain(Duration.ZERO).start();
            JobId id = dead.enqueue();
            Plant.await(isRunning);
            dead.backend.cutOffAll();
            time.advance(Duration.ofMinutes(1));

            living.headgate.handle(WORK, (order, job) -> {});
            living.headgate.worker("default").lease(Duration.ofSeconds(1)).start();
            JobStatus status = living.ended(id);
            assertThat(status.state()).isEqualTo(JobState.SUCCEEDED);
            assertThat(status.leases().lost()).isEqualTo(1);
            assertThat(status.leases().attempt()).isEqualTo(2);
        }
    }

    @Test
    void aWakeUpIsNotAnsweredWithAWrite() throws Exception {
        try (Plant plant = new Plant()) {
            AtomicInteger writes = new AtomicInteger();
            plant.headgate.handle(WORK, (order, job) -> {
                isRunning.countDown();
                mayEnd.await();
            });
            Worker worker =
                    plant.headgate.worker("default").drain(Duration.ZERO).start();
            plant.enqueue();
            Plant.await(isRunning);
            plant.backend.afterWrite(thread -> writes.addAndGet(thread.contains("keeper") ? 1 : 0));
            for (int i = 0; i < 1_000; i++) {
                plant.memory.publish(Set.of(new Wake.Anything(), new Wake.Cancel()));
            }
            mayEnd.countDown();
            Plant.awaitIdle(worker);
            assertThat(writes).hasValue(0);
        }
    }
}
