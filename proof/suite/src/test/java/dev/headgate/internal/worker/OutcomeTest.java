package dev.headgate.internal.worker;

import static dev.headgate.internal.worker.Plant.WORK;
import static dev.headgate.internal.worker.Plant.awaitIdle;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.handler.HandlerOptions;
import dev.headgate.handler.PermanentFailure;
import dev.headgate.handler.RetryLater;
import dev.headgate.handler.RetryPolicy;
import dev.headgate.internal.worker.Plant.Order;
import dev.headgate.job.Attempt;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What comes of what a handler does. */
class OutcomeTest {
    private static final HandlerOptions AT_ONCE = HandlerOptions.DEFAULT.retry(RetryPolicy.fixed(Duration.ZERO));

    private final Plant plant = new Plant();

    record Answer(int doubled) {}

    @AfterEach
    void close() {
        plant.close();
    }

    @Test
    void aReturnedValueIsTheResult() throws Exception {
        plant.headgate.handleWithResult(WORK, (order, job) -> new Answer(order.number() * 2));
        plant.work();
        JobId id = plant.headgate.enqueue(WORK, new Order(21)).id();
        assertThat(plant.ended(id).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(plant.headgate.result(id, Answer.class)).contains(new Answer(42));
    }

    @Test
    void aHandlerWithoutAValueSucceedsWithoutAResult() throws Exception {
        plant.headgate.handle(WORK, (order, job) -> {});
        plant.work();
        JobId id = plant.enqueue();
        assertThat(plant.ended(id).state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(plant.headgate.result(id, Answer.class)).isEmpty();
    }

    @Test
    void aFailureIsTriedAgainAndItsErrorKept() throws Exception {
        List<Long> epochs = new CopyOnWriteArrayList<>();
        plant.headgate.handle(
                WORK,
                (order, job) -> {
                    epochs.add(job.epoch());
                    if (job.attempt() < 3) {
                        throw new IOException("no route", new IllegalStateException("unplugged"));
                    }
                },
                AT_ONCE);
        plant.work();
        JobId id = plant.enqueue();
        JobStatus status = plant.ended(id);
        assertThat(status.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(status.leases().attempt()).isEqualTo(3);
        assertThat(epochs).containsExactly(1L, 2L, 3L);
        List<Attempt> attempts = plant.headgate.attempts(id);
        assertThat(attempts).hasSize(2);
        assertThat(attempts.getFirst().error())
                .startsWith("java.io.IOException: no route\n\tat dev.headgate.internal.worker.OutcomeTest")
                .contains("caused by java.lang.IllegalStateException: unplugged");
    }

    @Test
    void aDelayedRetryRunsWhenItIsDue() throws Exception {
        plant.headgate.handle(
                WORK,
                (order, job) -> {
                    if (job.attempt() == 1) {
                        throw new IOException("busy");
                    }
                },
                HandlerOptions.DEFAULT.retry(RetryPolicy.fixed(Duration.ofMillis(5))));
        plant.work();
        assertThat(plant.ended(plant.enqueue()).leases().attempt()).isEqualTo(2);
    }

    @Test
    void theLastAttemptFailsTheJob() throws Exception {
        plant.headgate.handle(
                WORK,
                (order, job) -> {
                    throw new IOException("attempt " + job.attempt() + " of " + job.attemptsMax());
                },
                AT_ONCE);
        plant.work();
        JobStatus status = plant.ended(plant.headgate
                .enqueue(WORK, new Order(1), job -> job.attempts(2))
                .id());
        assertThat(status.state()).isEqualTo(JobState.FAILED);
        assertThat(status.report().detail()).startsWith("java.io.IOException: attempt 2 of 2");
    }

    @Test
    void aJobHasNoMoreAttemptsThanItsHandlerGives() throws Exception {
        plant.headgate.handle(
                WORK,
                (order, job) -> {
                    throw new IOException("never");
                },
                AT_ONCE.attempts(1));
        plant.work();
        JobStatus status = plant.ended(plant.enqueue());
        assertThat(status.state()).isEqualTo(JobState.FAILED);
        assertThat(status.leases().attempt()).isEqualTo(1);
    }

    @Test
    void theJobsOwnPolicyComesBeforeItsHandlers() throws Exception {
        plant.headgate.handle(
                WORK,
                (order, job) -> {
                    throw new IOException("never");
                },
                AT_ONCE);
        plant.work();
        JobId id = plant.headgate
                .enqueue(WORK, new Order(1), job -> job.retry(RetryPolicy.none()))
                .id();
        assertThat(plant.ended(id).leases().attempt()).isEqualTo(1);
    }

    @Test
    void aPermanentFailureIsNotTriedAgain() throws Exception {
        plant.headgate.handle(
                WORK,
                (order, job) -> {
                    throw new PermanentFailure("the address does not exist");
                },
                AT_ONCE);
        plant.work();
        JobStatus status = plant.ended(plant.enqueue());
        assertThat(status.state()).isEqualTo(JobState.FAILED);
        assertThat(status.leases().attempt()).isEqualTo(1);
        assertThat(status.report().detail()).contains("the address does not exist");
    }

    @Test
    void aHandlerChoosesWhenToTryAgain() throws Exception {
        plant.headgate.handle(WORK, (order, job) -> {
            throw RetryLater.after(Duration.ofMinutes(10), "429").because(new IOException("slow down"));
        });
        var worker = plant.work();
        JobId id = plant.enqueue();
        awaitIdle(worker);
        JobStatus status = plant.status(id);
        assertThat(status.state()).isEqualTo(JobState.SCHEDULED);
        assertThat(Duration.between(status.times().enqueuedAt(), status.times().readySince()))
                .isBetween(Duration.ofMinutes(10), Duration.ofMinutes(11));
        assertThat(status.report().detail()).contains("429").contains("slow down");
    }

    @Test
    void aChosenTimeDoesNotOutliveTheAttempts() throws Exception {
        plant.headgate.handle(WORK, (order, job) -> {
            throw RetryLater.after(Duration.ZERO);
        });
        plant.work();
        JobStatus status = plant.ended(plant.headgate
                .enqueue(WORK, new Order(1), job -> job.attempts(3))
                .id());
        assertThat(status.state()).isEqualTo(JobState.FAILED);
        assertThat(status.leases().attempt()).isEqualTo(3);
    }

    @Test
    void aResultThatIsTooLargeFailsTheJobForGood() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        plant.headgate.handleWithResult(
                WORK,
                (order, job) -> {
                    runs.incrementAndGet();
                    return "x".repeat(300_000);
                },
                AT_ONCE);
        plant.work();
        JobStatus status = plant.ended(plant.enqueue());
        assertThat(status.state()).isEqualTo(JobState.FAILED);
        assertThat(status.report().detail()).contains("expected at most 262144 bytes of JSON, got 300002");
        assertThat(runs).hasValue(1);
    }

    @Test
    void anErrorIsAFailureLikeAnyOther() throws Exception {
        plant.headgate.handle(
                WORK,
                (order, job) -> {
                    throw new StackOverflowError("too \0 deep \uD800");
                },
                AT_ONCE.attempts(2));
        plant.work();
        JobStatus status = plant.ended(plant.enqueue());
        assertThat(status.state()).isEqualTo(JobState.FAILED);
        assertThat(status.report().detail()).startsWith("java.lang.StackOverflowError: too \uFFFD deep \uFFFD");
    }

    @Test
    void handlersRunOnVirtualThreadsNamedByTheirJob() throws Exception {
        plant.headgate.handleWithResult(
                WORK,
                (order, job) -> Thread.currentThread().isVirtual() + " "
                        + Thread.currentThread().getName());
        plant.work();
        JobId id = plant.enqueue();
        plant.ended(id);
        assertThat(plant.headgate.result(id, String.class)).contains("true headgate-job-" + id);
    }
}
