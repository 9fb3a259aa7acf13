package dev.headgate;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.headgate.handler.JobContext;
import dev.headgate.handler.RetryLater;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.job.JobType;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.Pause;
import dev.headgate.testkit.memory.MemoryBackend;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Handlers that meet a 429, or learn what their call really cost. */
class PushBackTest {
    private static final JobType<Call> CALL = JobType.of("call", Call.class);
    private static final Duration LONG = Duration.ofSeconds(20);

    private final MemoryBackend backend = new MemoryBackend();
    private final Headgate headgate = Headgate.open(backend);

    record Call() {}

    @AfterEach
    void close() {
        headgate.close();
        backend.close();
    }

    @Test
    void aHandlerThatIsPushedBackLosesNoAttemptAndRunsAgainWhenTheGateReopens() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        headgate.handle(CALL, (call, job) -> {
            if (runs.incrementAndGet() == 1) {
                throw RetryLater.pushedBack("api", Duration.ofMillis(50));
            }
        });
        JobId id = headgate.enqueue(CALL, new Call(), job -> job.gate("api").attempts(1))
                .id();
        headgate.worker(JobOptions.QUEUE_DEFAULT).start();
        JobStatus done = headgate.await(id, LONG).orElseThrow();
        assertThat(done.state()).isEqualTo(JobState.SUCCEEDED);
        assertThat(done.leases().attempt()).isEqualTo(1);
        assertThat(runs).hasValue(2);
    }

    @Test
    void aHoldShutsTheGateWhileTheHandlerStillRuns() throws Exception {
        CompletableFuture<Void> held = new CompletableFuture<>();
        CompletableFuture<Void> goOn = new CompletableFuture<>();
        headgate.handle(CALL, (call, job) -> {
            RetryLater later = job.pushedBack("api", Duration.ofHours(1));
            held.complete(null);
            goOn.get(120, SECONDS);
            throw later;
        });
        JobId first = headgate.enqueue(CALL, new Call(), job -> job.gate("api")).id();
        Worker worker = headgate.worker(JobOptions.QUEUE_DEFAULT).start();
        held.get(120, SECONDS);
        JobId second =
                headgate.enqueue(CALL, new Call(), job -> job.gate("api")).id();
        assertThat(headgate.explain(second).toString()).contains("gate api").contains("hold");
        goOn.complete(null);
        assertThat(worker.awaitIdle(LONG)).isTrue();
        assertThat(headgate.find(first).orElseThrow().state()).isEqualTo(JobState.QUEUED);
        assertThat(headgate.find(first).orElseThrow().leases().attempt()).isZero();
        assertThat(headgate.find(second).orElseThrow().state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void aHandlerSettlesWhatItsCallReallyCost() throws Exception {
        AtomicReference<JobContext> context = new AtomicReference<>();
        headgate.policies().gate("tokens", g -> g.limits("window 1000/1h by-cost"));
        headgate.handle(CALL, (call, job) -> {
            context.set(job);
            job.settle("tokens", 999);
            job.settle("tokens", 100);
        });
        headgate.worker(JobOptions.QUEUE_DEFAULT).start();
        JobId first = headgate.enqueue(CALL, new Call(), job -> job.gate("tokens", 1000))
                .id();
        JobId second = headgate.enqueue(CALL, new Call(), job -> job.gate("tokens", 900))
                .id();
        assertThat(headgate.await(first, LONG)).isPresent();
        assertThat(headgate.await(second, LONG)).isPresent();
        assertThatIllegalStateException()
                .isThrownBy(() -> context.get().settle("tokens", 1))
                .withMessageContaining("has ended");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> context.get().settle("other", 1))
                .withMessageContaining("expected one of its gates [tokens], got 'other'");
    }

    @Test
    void aNameThatNothingHasIsToldAndFailsIfNoWaitWasTold() throws Exception {
        headgate.handle(CALL, (call, job) -> {
            throw RetryLater.pushedBack("other", null);
        });
        JobId id = headgate.enqueue(CALL, new Call(), job -> job.gate("api").attempts(1))
                .id();
        headgate.worker(JobOptions.QUEUE_DEFAULT).start();
        JobStatus done = headgate.await(id, LONG).orElseThrow();
        assertThat(done.state()).isEqualTo(JobState.FAILED);
        assertThat(done.report().detail()).contains("'other' pushed back; no gate or queue has the name 'other'");
    }

    @Test
    void aKnownGateIsHeldForAJobThatDoesNotNameIt() throws Exception {
        headgate.policies().gate("openai", g -> g.limits("concurrency 5"));
        headgate.handle(CALL, (call, job) -> {
            throw RetryLater.pushedBack("openai", Duration.ofSeconds(60), "status 429 of the provider");
        });
        JobId id = headgate.enqueue(CALL, new Call(), job -> job.attempts(1)).id();
        Worker worker = headgate.worker(JobOptions.QUEUE_DEFAULT).start();
        assertThat(worker.awaitIdle(LONG)).isTrue();
        JobStatus waiting = headgate.find(id).orElseThrow();
        assertThat(waiting.state()).isEqualTo(JobState.SCHEDULED);
        assertThat(waiting.leases().attempt()).isZero();
        assertThat(headgate.explain(id).times().at().plusSeconds(30))
                .isBefore(waiting.times().readySince());
        JobId named =
                headgate.enqueue(CALL, new Call(), job -> job.gate("openai")).id();
        assertThat(worker.awaitIdle(LONG)).isTrue();
        assertThat(headgate.explain(named).toString())
                .contains("gate openai", "held: status 429 of the provider")
                .doesNotContain("dev.headgate");
    }

    @Test
    void aQueueIsHeldAndPushesBackAsAGateDoes() throws Exception {
        headgate.handle(CALL, (call, job) -> {
            throw job.pushedBack("openai", Duration.ofHours(1));
        });
        JobId id = headgate.enqueue(CALL, new Call(), job -> job.queue("openai").attempts(1))
                .id();
        Worker worker = headgate.worker("openai").start();
        assertThat(worker.awaitIdle(LONG)).isTrue();
        assertThat(headgate.find(id).orElseThrow().leases().attempt()).isZero();
        assertThat(headgate.explain(id).toString()).contains("queue openai", "'openai' pushed back", "1h");
        worker.close();
        assertThat(headgate.controls().release("openai")).isTrue();
        assertThat(headgate.controls().hold("openai", Duration.ofMinutes(1), "by hand"))
                .isTrue();
        assertThat(headgate.explain(id).toString()).contains("queue openai", "by hand");
        assertThat(headgate.overview().gates()).hasSize(1);
    }

    @Test
    void aWaitInThePastOrTooLongShutsTheGateAndLosesNoAttempt() throws Exception {
        headgate.handle(CALL, (call, job) -> {
            boolean isPast = job.queue().equals("past");
            throw job.pushedBack(job.queue() + " gate", Duration.ofSeconds(isPast ? -30 : Long.MAX_VALUE));
        });
        headgate.policies().gate("past gate", g -> g.limits("concurrency 5; back-off 1h x2 max 10h"));
        Worker worker = headgate.worker("past", "huge").start();
        for (String queue : List.of("past", "huge")) {
            JobId id = headgate.enqueue(
                            CALL,
                            new Call(),
                            job -> job.queue(queue).gate(queue + " gate").attempts(1))
                    .id();
            assertThat(worker.awaitIdle(LONG)).isTrue();
            assertThat(headgate.find(id).orElseThrow().leases().attempt()).isZero();
            assertThat(headgate.explain(id).toString()).contains("gate %s gate".formatted(queue), "held");
        }
    }

    @Test
    void aMistypedNameIsNotCleared() {
        headgate.controls().hold("openai", Duration.ofHours(1), "by hand");
        assertThat(headgate.controls().clear("opneai")).isFalse();
        assertThat(headgate.controls().clear(GateKey.queue("openai"))).isFalse();
        assertThat(headgate.overview().gates()).hasSize(1);
        assertThat(headgate.controls().clear("openai")).isTrue();
    }

    @Test
    void aReasonThatIsMissingIsToldInWords() {
        List<ThrowingCallable> calls = List.of(
                () -> headgate.controls().hold("openai", Duration.ofHours(1), null),
                () -> headgate.controls().holdUntil("openai", Instant.now().plusSeconds(60), null),
                () -> headgate.controls().pause(Pause.queue("mail"), null));
        for (ThrowingCallable call : calls) {
            assertThatIllegalArgumentException()
                    .isThrownBy(call)
                    .withMessageContaining("expected a reason, got null; an empty one is allowed");
        }
    }
}
