package dev.headgate.internal.worker;

import static dev.headgate.internal.worker.Plant.WORK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.Worker;
import dev.headgate.internal.worker.Plant.Order;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Leaving in good order: nothing lost, nothing burnt, nothing held. */
class StopReasonTest {
    private final Plant plant = new Plant();
    private final CountDownLatch isRunning = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);

    @AfterEach
    void close() {
        mayEnd.countDown();
        plant.close();
    }

    private Worker worker(Duration drain) {
        return plant.headgate.worker("default").slots(1).drain(drain).start();
    }

    private void assertNothingIsHeld() {
        assertThat(plant.headgate.overview().workers()).isEmpty();
        assertThat(plant.headgate.recount()).isEmpty();
    }

    @Test
    void runningJobsMayFinishAndWaitingOnesStay() throws Exception {
        plant.headgate.handle(WORK, (order, job) -> {
            isRunning.countDown();
            mayEnd.await();
        });
        Worker worker = worker(Plant.SOON);
        JobId running = plant.enqueue();
        Plant.await(isRunning);
        JobId waiting = plant.enqueue();
        Thread stopper = Thread.ofPlatform().start(worker::stop);
        while (stopper.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        mayEnd.countDown();
        stopper.join();
        assertThat(plant.status(running).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(plant.status(waiting).state()).isEqualTo(JobState.QUEUED);
        assertNothingIsHeld();
    }

    @Test
    void afterTheDrainHandlersAreInterruptedAndTheirJobsHandedBack() throws Exception {
        plant.headgate.handle(WORK, (order, job) -> {
            isRunning.countDown();
            mayEnd.await();
        });
        Worker worker = worker(Duration.ofMillis(20));
        JobId id =
                plant.headgate.enqueue(WORK, new Order(1), job -> job.gate("g")).id();
        Plant.await(isRunning);
        worker.stop();
        JobStatus status = plant.status(id);
        assertThat(status.state()).isEqualTo(JobState.QUEUED);
        assertThat(status.leases().attempt()).isZero();
        assertThat(status.leases().epoch()).isEqualTo(1);
        assertThat(plant.headgate.attempts(id)).as("a deploy is no trouble").isEmpty();
        assertNothingIsHeld();
    }

    @Test
    void aHandlerThatIgnoresItsInterruptionDoesNotHoldUpTheStop() throws Exception {
        CountDownLatch isOver = new CountDownLatch(1);
        plant.headgate.handleWithResult(WORK, (order, job) -> {
            isRunning.countDown();
            while (mayEnd.getCount() > 0) {
                Thread.onSpinWait();
            }
            isOver.countDown();
            return "too late";
        });
        Worker worker = worker(Duration.ZERO);
        JobId id = plant.enqueue();
        Plant.await(isRunning);
        worker.stop(); // or for ever, if it waited for the handler
        assertThat(isOver.getCount()).isEqualTo(1);
        assertThat(plant.status(id).state()).isEqualTo(JobState.QUEUED);
        mayEnd.countDown();
        Plant.await(isOver);
        assertThat(plant.status(id).state()).isEqualTo(JobState.QUEUED);
        assertNothingIsHeld();
    }

    @Test
    void aSecondStopInAHurryCutsTheFirstShort() throws Exception {
        plant.headgate.handle(WORK, (order, job) -> {
            isRunning.countDown();
            mayEnd.await();
        });
        Worker worker = worker(Duration.ofHours(1));
        JobId id = plant.enqueue();
        Plant.await(isRunning);
        Thread gentle = Thread.ofPlatform().start(worker::stop);
        worker.stopNow();
        gentle.join();
        assertThat(plant.status(id).state()).isEqualTo(JobState.QUEUED);
        assertNothingIsHeld();
    }

    @Test
    void nothingIsClaimedAfterAStop() {
        plant.headgate.handle(WORK, (order, job) -> {});
        Worker worker = worker(Duration.ZERO);
        worker.stop();
        worker.stop();
        JobId id = plant.enqueue();
        assertThat(plant.status(id).state()).isEqualTo(JobState.QUEUED);
        assertThat(plant.status(id).leases().epoch()).isZero();
        assertNothingIsHeld();
    }

    @Test
    void stoppingUnderLoadLosesNothing() throws Exception {
        int jobs = 2_000;
        plant.headgate.handle(WORK, (order, job) -> {});
        plant.headgate.enqueueAll(
                WORK,
                java.util.stream.IntStream.range(0, jobs).mapToObj(Order::new).toList(),
                (order, job) -> job.gate("g" + order.number() % 7));
        for (int i = 0; i < 20; i++) {
            plant.headgate
                    .worker("default")
                    .slots(20)
                    .drain(Duration.ofMillis(i % 3))
                    .start()
                    .stop();
            assertNothingIsHeld();
        }
        Plant.awaitIdle(plant.work());
        long done = plant.headgate.overview().jobs().stream()
                .filter(count -> count.state() == JobState.SUCCEEDED)
                .mapToLong(count -> count.jobs())
                .sum();
        assertThat(done).isEqualTo(jobs);
    }

    @Test
    void closingTheDoorStopsAllWorkersAtOnce() throws Exception {
        plant.headgate.handle(WORK, (order, job) -> {
            isRunning.countDown();
            mayEnd.await();
        });
        worker(Duration.ofMillis(300));
        worker(Duration.ofMillis(300));
        worker(Duration.ofMillis(300));
        plant.enqueue();
        Plant.await(isRunning);
        plant.headgate.close();
        try (Plant other = plant.reopen()) {
            assertThat(other.headgate.overview().workers()).isEmpty();
        }
    }
}
