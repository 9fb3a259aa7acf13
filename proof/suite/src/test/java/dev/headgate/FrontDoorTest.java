package dev.headgate;

import static dev.headgate.limit.Limit.concurrency;
import static dev.headgate.limit.Limit.rate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.job.JobFilter;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobStatus;
import dev.headgate.job.JobType;
import dev.headgate.job.OperationResult;
import dev.headgate.limit.GateKey;
import dev.headgate.store.CallerTransaction;
import dev.headgate.testkit.memory.MemoryBackend;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What callers and tools ask for at the front door. */
class FrontDoorTest {
    private static final JobType<Mail> MAIL = JobType.of("mail", Mail.class);

    private final MemoryBackend backend = new MemoryBackend();
    private final Headgate headgate = Headgate.open(backend);

    record Mail(String to) {}

    @AfterEach
    void close() {
        headgate.close();
        backend.close();
    }

    @Test
    void aJobIsFoundAsItWasAskedFor() {
        JobId id = headgate.enqueue(
                        MAIL,
                        new Mail("ada"),
                        job -> job.queue("out").gate("tenant:acme").cost(5))
                .id();
        JobStatus status = headgate.find(id).orElseThrow();
        assertThat(status.state()).isEqualTo(JobState.QUEUED);
        assertThat(status.queue()).isEqualTo("out");
        assertThat(status.gates()).containsExactly("tenant:acme");
        assertThat(status.spec().payload()).isEqualTo("{\"to\":\"ada\"}");
        assertThat(headgate.list(JobFilter.all().queue("out"))).containsExactly(status);
        assertThat(headgate.list(JobFilter.all().queue("in"))).isEmpty();
        assertThat(headgate.explain(id).toString()).contains("no worker serves queue out");
    }

    @Test
    void aDuplicateIsToldFromANewJob() {
        Enqueued first = headgate.enqueue(MAIL, new Mail("ada"), job -> job.dedup("welcome:ada"));
        Enqueued second = headgate.enqueue(MAIL, new Mail("ada"), job -> job.dedup("welcome:ada"));
        assertThat(first.isNew()).isTrue();
        assertThat(second).isEqualTo(new Enqueued(first.id(), false));
        headgate.cancel(first.id());
        assertThat(headgate.enqueue(MAIL, new Mail("ada"), job -> job.dedup("welcome:ada"))
                        .isNew())
                .isTrue();
    }

    @Test
    void manyJobsGoInTogetherOrNotAtAll() {
        List<Enqueued> all = headgate.enqueueAll(
                MAIL, List.of(new Mail("a"), new Mail("b"), new Mail("c")), (mail, job) -> job.gate("to:" + mail.to()));
        assertThat(all).extracting(each -> each.id().value()).isSorted();
        assertThat(headgate.find(all.get(1).id()).orElseThrow().gates()).containsExactly("to:b");
        assertThatThrownBy(() -> headgate.enqueueAll(
                        MAIL, List.of(new Mail("a"), new Mail("")), (mail, job) -> job.gate(mail.to())))
                .hasMessageContaining("gate: ");
        assertThat(headgate.list(JobFilter.all())).hasSize(3);
        assertThat(headgate.enqueueAll(MAIL, List.of())).isEmpty();
    }

    @Test
    void moreThanABatchIsRefused() {
        List<Mail> tooMany = Collections.nCopies(Enqueuer.BATCH_MAX + 1, new Mail("a"));
        assertThatThrownBy(() -> headgate.enqueueAll(MAIL, tooMany))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected at most 10000 jobs in one call, got 10001");
    }

    @Test
    void nothingIsNotAPayload() {
        assertThatThrownBy(() -> headgate.enqueue(MAIL, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("payload of 'mail': expected a Mail, got null");
    }

    @Test
    void toolsEnqueueTextThatMustBeJson() {
        Enqueued job = headgate.enqueueJson("mail", "{\"to\":\"ada\"}", options -> options.queue("out"));
        assertThat(headgate.find(job.id()).orElseThrow().type()).isEqualTo("mail");
        assertThatThrownBy(() -> headgate.enqueueJson("mail", "{to}", options -> {}))
                .hasMessageContaining("expected JSON text");
        assertThatThrownBy(() -> headgate.enqueueJson(" ", "{}", options -> {})).hasMessageContaining("job type");
    }

    @Test
    void jobsOfSeveralTypesGoInTogetherOrNotAtAll() {
        List<Enqueued> all = headgate.enqueueAllJson(List.of(
                new JsonJob("mail", "{\"to\":\"ada\"}", job -> job.queue("out")),
                new JsonJob("call", "[1]", job -> job.gate("api"))));
        assertThat(headgate.find(all.get(0).id()).orElseThrow().queue()).isEqualTo("out");
        assertThat(headgate.find(all.get(1).id()).orElseThrow().type()).isEqualTo("call");
        JsonJob good = new JsonJob("mail", "{}", job -> {});
        assertThatThrownBy(() -> headgate.enqueueAllJson(List.of(good, new JsonJob("mail", "{}", job -> job.cost(-1)))))
                .hasMessageContaining("cost: expected 0 to");
        assertThat(headgate.list(JobFilter.all())).hasSize(2);
        assertThatThrownBy(() -> headgate.enqueueAllJson(Collections.nCopies(Enqueuer.BATCH_MAX + 1, good)))
                .hasMessageContaining("expected at most 10000 jobs in one call, got 10001");
        assertThat(headgate.enqueueAllJson(List.of())).isEmpty();
    }

    @Test
    void aJobThatCanNeverStartIsRefused() {
        headgate.policies().gate("gpu", g -> g.limits("budget 4"));
        assertThatThrownBy(() -> headgate.enqueue(
                        MAIL, new Mail("a"), job -> job.gate("gpu").cost(5)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("can never pass gate gpu");
    }

    @Test
    void statingTheSamePoliciesAgainWritesNothing() {
        Runnable state = () -> headgate.policies()
                .queue(
                        "out",
                        q -> q.maxInFlight(20)
                                .limit(rate(100).per(Duration.ofMinutes(1)).burst(10)))
                .gate("tenant:*", g -> g.limit(concurrency(3)));
        state.run();
        long version = headgate.overview().policyVersion();
        state.run();
        assertThat(headgate.overview().policyVersion()).isEqualTo(version);
        assertThat(headgate.policies().all().keySet()).containsExactly(GateKey.queue("out"), GateKey.gate("tenant:*"));
        headgate.policies().removeGate("tenant:*").removeQueue("out").removeQueue("never-there");
        assertThat(headgate.policies().all()).isEmpty();
    }

    @Test
    void allFaultsOfAPolicyAreReportedAtOnce() {
        assertThatThrownBy(() -> headgate.policies()
                        .queue(
                                "out",
                                q -> q.maxInFlight(0)
                                        .limits("rate many/1s")
                                        .limit(concurrency(1))
                                        .limit(concurrency(2))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "policy of queue out", "concurrency: expected", "rate many/1s", "one limit of each");
        assertThatThrownBy(() -> headgate.policies().gate("g", g -> {})).hasMessageContaining("at least one limit");
    }

    @Test
    void operatorsGetAnAnswerForEveryState() {
        JobId id = headgate.enqueue(MAIL, new Mail("a"), job -> job.delay(Duration.ofHours(1)))
                .id();
        assertThat(headgate.reschedule(id, null)).isEqualTo(OperationResult.DONE);
        assertThat(headgate.find(id).orElseThrow().state()).isEqualTo(JobState.QUEUED);
        assertThat(headgate.cancel(id)).isEqualTo(OperationResult.DONE);
        assertThat(headgate.cancel(id)).isEqualTo(OperationResult.WRONG_STATE);
        assertThat(headgate.redrive(JobFilter.all().state(JobState.CANCELLED))).isEqualTo(1);
        assertThat(headgate.delete(id)).isEqualTo(OperationResult.DONE);
        assertThatThrownBy(() -> headgate.retry(id)).isInstanceOf(UnknownJobException.class);
        assertThat(headgate.prune(Duration.ZERO)).isZero();
    }

    @Test
    void timesThatNoStoreCanKeepAreRefused() {
        JobId id = headgate.enqueue(MAIL, new Mail("ada")).id();
        assertThatThrownBy(() -> headgate.reschedule(id, Instant.MAX))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("reschedule of job %s: at: expected an instant from".formatted(id));
        assertThatThrownBy(() -> headgate.prune(Duration.ofDays(999_999_999)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("prune: olderThan: expected zero to");
        assertThatThrownBy(() -> headgate.prune(Duration.ofDays(-1))).hasMessageContaining("expected zero to");
        assertThat(headgate.find(id).orElseThrow().state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void aTransactionThatTheStoreCannotJoinIsRefused() {
        CallerTransaction foreign = new CallerTransaction() {};
        assertThatThrownBy(() -> headgate.in(foreign).enqueue(MAIL, new Mail("a")))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
