package dev.headgate.testkit;

import static dev.headgate.limit.Limit.concurrency;
import static dev.headgate.limit.Limit.rate;
import static java.time.Duration.ofDays;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.Worker;
import dev.headgate.handler.BatchMember;
import dev.headgate.handler.BatchOptions;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobType;
import dev.headgate.schedule.Schedule;
import dev.headgate.testkit.junit.HeadgateExtension;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(HeadgateExtension.class)
class TestHeadgateTest {
    private static final JobType<Integer> NUMBER = JobType.of("number", Integer.class);

    private final List<Integer> done = new ArrayList<>();

    @BeforeEach
    void handle(TestHeadgate test) {
        test.headgate().handle(NUMBER, (number, job) -> done.add(number));
    }

    private static JobId enqueue(TestHeadgate test, int number) {
        return test.headgate().enqueue(NUMBER, number, job -> job.gate("g")).id();
    }

    @Test
    void nothingRunsBetweenTwoCalls(TestHeadgate test) {
        test.headgate().worker("default").start();
        JobId id = enqueue(test, 1);

        assertThat(done).isEmpty();
        assertThat(test.run()).containsExactly(id);
        assertThat(done).containsExactly(1);
        test.assertThat(id).hasSucceeded().hasAttempts(1);
        assertThat(test.run()).isEmpty();
    }

    @Test
    void aRateOpensAtItsInstantAndNotBefore(TestHeadgate test) {
        test.headgate()
                .policies()
                .gate("g", gate -> gate.limit(rate(3).per(ofMinutes(1)).burst(3)));
        test.headgate().worker("default").start();
        for (int i = 0; i < 5; i++) {
            enqueue(test, i);
        }

        assertThat(test.run()).hasSize(3);
        assertThat(test.runFor(ofSeconds(20).minusNanos(1_000))).isEmpty();
        assertThat(test.runFor(ofMillis(1))).hasSize(1);
        assertThat(test.runFor(ofHours(1))).hasSize(1);
        assertThat(done).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void claimedJobsHoldTheirPlaces(TestHeadgate test) {
        test.headgate().policies().gate("g", gate -> gate.limit(concurrency(2)));
        test.headgate().worker("default").slots(10).start();
        List<JobId> all = List.of(enqueue(test, 1), enqueue(test, 2), enqueue(test, 3));

        assertThat(test.claim()).containsExactly(all.get(0), all.get(1));
        assertThat(test.claim()).isEmpty();
        test.assertThat(all.get(1)).is(JobState.RUNNING);
        test.assertThat(all.get(2)).isWaitingAt("g");
        assertThat(test.run()).containsExactlyElementsOf(all);
    }

    @Test
    void timeMovedByHandIsSeen(TestHeadgate test) {
        test.headgate().worker("default").start();
        JobId id =
                test.headgate().enqueue(NUMBER, 1, job -> job.delay(ofDays(3))).id();

        test.time().advance(ofDays(3));
        assertThat(test.run()).containsExactly(id);
    }

    @Test
    void whatIsDueMeanwhileRunsAtItsInstant(TestHeadgate test) {
        List<Instant> starts = new ArrayList<>();
        test.headgate()
                .handle(
                        JobType.of("tick", Integer.class),
                        (number, job) -> starts.add(test.time().now()));
        test.headgate().schedules().put("ticks", Schedule.every(ofHours(1)), JobType.of("tick", Integer.class), 1);
        test.headgate().worker("default").start();

        test.runFor(ofDays(1));
        assertThat(starts).hasSize(24);
        assertThat(starts.getFirst()).isEqualTo(VirtualTime.START.plus(ofHours(1)));
    }

    @Test
    void aBatchRunsTogether(TestHeadgate test) {
        JobType<Integer> type = JobType.of("batched", Integer.class);
        List<List<Integer>> batches = new ArrayList<>();
        test.headgate()
                .handleBatch(
                        type,
                        BatchOptions.upTo(3),
                        members -> batches.add(members.stream()
                                .map(BatchMember::payload)
                                .sorted()
                                .toList()));
        test.headgate().worker("default").start();
        List<JobId> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            all.add(test.headgate().enqueue(type, i).id());
        }

        assertThat(test.run()).containsExactlyElementsOf(all);
        assertThat(batches).containsExactly(List.of(0, 1, 2));
        all.forEach(id -> test.assertThat(id).hasSucceeded());
    }

    @Test
    void aStoppedWorkerHasRunWhatItClaimed(TestHeadgate test) {
        Worker worker = test.headgate().worker("default").start();
        JobId first = enqueue(test, 1);
        test.claim();

        worker.stop();
        test.assertThat(first).hasSucceeded();
        enqueue(test, 2);
        assertThat(test.run()).containsExactly(first);
    }

    @Test
    void atTheEndClaimedJobsDoNotRun() {
        try (TestHeadgate test = TestHeadgate.open()) {
            test.headgate().handle(NUMBER, (number, job) -> done.add(number));
            test.headgate().worker("default").start();
            test.headgate().worker("default").start();
            for (int i = 0; i < 20; i++) {
                enqueue(test, i);
            }
            assertThat(test.claim()).hasSize(20);
        }
        assertThat(done).isEmpty();
    }

    @Test
    void aHandlerDoesNotStepTheTest(TestHeadgate test) {
        JobType<Integer> type = JobType.of("stepping", Integer.class);
        test.headgate().handle(type, (number, job) -> test.run());
        test.headgate().worker("default").start();
        JobId id = test.headgate().enqueue(type, 1, job -> job.attempts(1)).id();

        test.run();
        test.assertThat(id).hasFailed();
        assertThatThrownBy(() -> test.assertThat(id).hasSucceeded())
                .hasMessageContaining("a handler cannot step the test that runs it");
    }

    @Test
    void assertionsExplain(TestHeadgate test) {
        test.headgate()
                .policies()
                .gate("g", gate -> gate.limit(rate(1).per(ofMinutes(1)).burst(1)));
        test.headgate().worker("default").start();
        enqueue(test, 1);
        JobId second = enqueue(test, 2);
        test.run();

        assertThatThrownBy(() -> test.assertThat(second).hasSucceeded())
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("job %s: expected SUCCEEDED, is QUEUED: waiting at gate g: ".formatted(second));
        assertThatThrownBy(() -> test.assertThat(second).hasAttempts(1))
                .hasMessageStartingWith("job %s: expected 1 attempts, has 0, is QUEUED: ".formatted(second));
        assertThatThrownBy(() -> test.assertThat(second).isWaitingAt("h"))
                .hasMessageStartingWith("job %s: expected QUEUED at gate h, is QUEUED: ".formatted(second));
        assertThatThrownBy(() -> test.assertThat(JobId.of(77)).hasFailed()).hasMessage("job 77: there is no such job");
    }

    @Test
    void aJobThatItsGateWouldLetPassDoesNotWaitAtIt(TestHeadgate test) {
        JobId id = enqueue(test, 1);
        assertThatThrownBy(() -> test.assertThat(id).isWaitingAt("g"))
                .hasMessageContaining("expected QUEUED at gate g, is QUEUED: waiting: no worker serves queue default");
    }

    @Test
    void resultsAreCompared(TestHeadgate test) {
        JobType<Integer> type = JobType.of("twice", Integer.class);
        test.headgate().handleWithResult(type, (number, job) -> 2 * number);
        test.headgate().worker("default").start();
        JobId id = test.headgate().enqueue(type, 21).id();
        test.run();

        test.assertThat(id).hasResult(42);
        assertThatThrownBy(() -> test.assertThat(id).hasResult(41)).hasMessageContaining("result 41, has 42");
    }
}
