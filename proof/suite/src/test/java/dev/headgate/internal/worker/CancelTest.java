package dev.headgate.internal.worker;

import static dev.headgate.internal.worker.Plant.WORK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.internal.worker.Plant.Order;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.OperationResult;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Jobs that are called off. */
class CancelTest {
    private final Plant plant = new Plant();
    private final CountDownLatch isRunning = new CountDownLatch(1);
    private final CountDownLatch never = new CountDownLatch(1);

    @AfterEach
    void close() {
        plant.close();
    }

    @Test
    void aRunningJobIsInterrupted() throws Exception {
        plant.headgate.handle(WORK, (order, job) -> {
            isRunning.countDown();
            never.await();
        });
        plant.work();
        JobId id = plant.enqueue();
        Plant.await(isRunning);
        assertThat(plant.headgate.cancel(id)).isEqualTo(OperationResult.REQUESTED);
        assertThat(plant.ended(id).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void aHandlerThatNeverBlocksCanAsk() throws Exception {
        plant.headgate.handle(WORK, (order, job) -> {
            isRunning.countDown();
            while (true) {
                job.checkCancelled();
                Thread.onSpinWait();
            }
        });
        plant.work();
        JobId id = plant.enqueue();
        Plant.await(isRunning);
        plant.headgate.cancel(id);
        assertThat(plant.ended(id).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void workThatWasDoneAllTheSameCounts() throws Exception {
        plant.headgate.handleWithResult(WORK, (order, job) -> {
            isRunning.countDown();
            try {
                never.await();
            } catch (InterruptedException cancelled) {
                assertThat(job.isCancelled()).isTrue();
            }
            return "done";
        });
        plant.work();
        JobId id = plant.enqueue();
        Plant.await(isRunning);
        plant.headgate.cancel(id);
        assertThat(plant.ended(id).state()).isEqualTo(JobState.SUCCEEDED);
    }

    @Test
    void aCancelIsNotForgottenIfTheHandlerFailsBeforeItHears() throws Exception {
        CountDownLatch mayFail = new CountDownLatch(1);
        plant.headgate.handle(WORK, (order, job) -> {
            isRunning.countDown();
            mayFail.await();
            throw new IOException("by itself");
        });
        plant.work();
        JobId id = plant.enqueue();
        Plant.await(isRunning);
        plant.backend.cutOff("keeper");
        assertThat(plant.headgate.cancel(id)).isEqualTo(OperationResult.REQUESTED);
        mayFail.countDown();
        assertThat(plant.ended(id).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void aWaitingJobNeverStarts() throws Exception {
        plant.headgate.handle(WORK, (order, job) -> {});
        JobId id = plant.headgate
                .enqueue(WORK, new Order(1), job -> job.delay(Duration.ofHours(1)))
                .id();
        assertThat(plant.headgate.cancel(id)).isEqualTo(OperationResult.DONE);
        assertThat(plant.ended(id).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void aJobDeletedWhileItRunsIsInterruptedAndLeavesNothing() throws Exception {
        CountDownLatch isInterrupted = new CountDownLatch(1);
        plant.headgate.handle(WORK, (order, job) -> {
            isRunning.countDown();
            try {
                never.await();
            } finally {
                isInterrupted.countDown();
            }
        });
        var worker = plant.work();
        JobId id =
                plant.headgate.enqueue(WORK, new Order(1), job -> job.gate("g")).id();
        Plant.await(isRunning);
        assertThat(plant.headgate.delete(id)).isEqualTo(OperationResult.DONE);
        Plant.await(isInterrupted);
        Plant.awaitIdle(worker);
        assertThat(plant.headgate.find(id)).isEmpty();
        assertThat(plant.headgate.recount()).isEmpty();
    }
}
