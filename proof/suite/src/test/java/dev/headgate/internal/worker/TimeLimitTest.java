package dev.headgate.internal.worker;

import static dev.headgate.internal.worker.Plant.WORK;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.handler.HandlerOptions;
import dev.headgate.handler.RetryPolicy;
import dev.headgate.internal.worker.Plant.Order;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Handlers that take too long are interrupted. */
class TimeLimitTest {
    private final Plant plant = new Plant();
    private final CountDownLatch never = new CountDownLatch(1);

    @AfterEach
    void close() {
        plant.close();
    }

    @Test
    void anAttemptThatTakesTooLongHasFailed() throws Exception {
        plant.headgate.handle(WORK, (order, job) -> {
            if (job.attempt() == 1) {
                assertThat(job.timeLeft().orElseThrow()).isLessThanOrEqualTo(Duration.ofMillis(20));
                never.await();
            }
        });
        plant.work();
        JobId id = plant.headgate
                .enqueue(
                        WORK,
                        new Order(1),
                        job -> job.timeout(Duration.ofMillis(20)).retry(RetryPolicy.fixed(Duration.ZERO)))
                .id();
        JobStatus status = plant.ended(id);
        assertThat(status.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(status.leases().attempt()).isEqualTo(2);
        assertThat(plant.headgate.attempts(id).getFirst().error()).startsWith("timed out after 20ms");
    }

    @Test
    void theHandlersTimeoutCountsIfTheJobHasNone() throws Exception {
        plant.headgate.handle(
                WORK,
                (order, job) -> never.await(),
                HandlerOptions.DEFAULT.timeout(Duration.ofMillis(10)).attempts(1));
        plant.work();
        JobStatus status = plant.ended(plant.enqueue());
        assertThat(status.state()).isEqualTo(JobState.FAILED);
        assertThat(status.report().detail()).startsWith("timed out after 10ms");
    }

    @Test
    void aShortTimeoutIsKeptBesideLongOnes() throws Exception {
        plant.headgate.handle(WORK, (order, job) -> never.await(), HandlerOptions.DEFAULT.attempts(1));
        plant.work();
        JobId slow = plant.headgate
                .enqueue(WORK, new Order(1), job -> job.timeout(Duration.ofHours(1)))
                .id();
        JobId fast = plant.headgate
                .enqueue(WORK, new Order(2), job -> job.timeout(Duration.ofMillis(20)))
                .id();
        assertThat(plant.ended(fast).state()).isEqualTo(JobState.FAILED);
        assertThat(plant.status(slow).state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    void aJobThatIsNotDoneByItsDeadlineFailsForGood() throws Exception {
        plant.headgate.handle(WORK, (order, job) -> never.await());
        plant.work();
        Instant deadline = plant.headgate.overview().at().plusMillis(100);
        JobStatus status = plant.ended(plant.headgate
                .enqueue(WORK, new Order(1), job -> job.deadline(deadline).timeout(Duration.ofHours(1)))
                .id());
        assertThat(status.state()).isEqualTo(JobState.FAILED);
        assertThat(status.leases().attempt()).isEqualTo(1);
        assertThat(status.report().detail()).startsWith("its deadline %s passed while it ran".formatted(deadline));
    }
}
