package dev.headgate.proof.conformance;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.Outcome;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What users of Workglow know of its queues: limiters in front of workers, back-off, retries with a date, deadlines.
 *
 * <p>Its limiters without a queue (the null limiter, next times that are asked for and set, composites built at run time)
 * are a conformance of their own. Here a composite is a gate with several limits, or a job with several gates.
 */
public interface WorkglowQueueConformance extends Conformance {
    private static List<JobId> askInTurn(Rig rig, int askers) {
        List<JobId> started = new ArrayList<>();
        for (int i = 0; i < askers; i++) {
            started.addAll(rig.worker("q").claim(1));
        }
        return started;
    }

    /** Three rounds in which all ask at one moment: a worker that finds a lane taken for a moment asks again. */
    private static List<JobId> askTogether(Rig rig, int askers) throws Exception {
        List<ScriptedWorker> workers = new ArrayList<>();
        for (int i = 0; i < askers; i++) {
            workers.add(rig.worker("q"));
        }
        CyclicBarrier together = new CyclicBarrier(askers);
        List<JobId> started = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(askers)) {
            List<Future<List<JobId>>> all = new ArrayList<>();
            for (ScriptedWorker worker : workers) {
                all.add(threads.submit(() -> {
                    List<JobId> own = new ArrayList<>();
                    for (int round = 0; round < 3; round++) {
                        together.await();
                        own.addAll(worker.claim(1));
                    }
                    return own;
                }));
            }
            for (Future<List<JobId>> each : all) {
                started.addAll(each.get());
            }
        }
        return started;
    }

    @Test
    default void ofAskersAtOneMomentNoMoreStartThanTheLimitAllows(Rig rig) throws Exception {
        rig.policy("queue q", "concurrency 2").policy("gate api", "delay 100ms");
        List<JobId> ids = rig.enqueue(10, job("q"));
        assertThat(askTogether(rig, 6)).containsExactlyInAnyOrderElementsOf(ids.subList(0, 2));
        rig.policy("queue q", "concurrency 20");
        ids.subList(2, 10).forEach(rig.store()::cancel);
        List<JobId> spaced = rig.enqueue(5, job("q").gate("api"));
        assertThat(askTogether(rig, 5)).as("one of five").containsExactly(spaced.getFirst());
        rig.advance(Duration.ofMillis(100));
        assertThat(askTogether(rig, 5)).as("after the delay").containsExactly(spaced.get(1));
    }

    private static Outcome rejected(@Nullable Duration retryAfter, int jitter) {
        return new Outcome.PushedBack("api", retryAfter, jitter, "status 429");
    }

    @Test
    default void ofTenAskersAtAConcurrencyOfTwoExactlyTwoStart(Rig rig) {
        rig.policy("queue q", "concurrency 2");
        List<JobId> ids = rig.enqueue(10, job("q"));
        assertThat(askInTurn(rig, 10)).isEqualTo(ids.subList(0, 2));
    }

    @Test
    default void useNeverFallsBelowZeroAndClearFreesOnlyWhatTimeWouldFree(Rig rig) {
        rig.policy("gate api", "concurrency 2; window 2/1h");
        ScriptedWorker worker = rig.worker("q");
        List<JobId> ids = rig.enqueue(4, job("q").gate("api"));
        assertThat(worker.claim(9)).hasSize(2);
        worker.finishAll();
        rig.store().delete(ids.getFirst());
        rig.store().delete(ids.getFirst());
        assertThat(rig.leases("gate api")).isZero();
        assertThat(worker.claim(9)).isEmpty();
        rig.store().clear(Rig.key("gate api"));
        assertThat(worker.claim(9)).isEqualTo(ids.subList(2, 4));
        rig.enqueue(job("q").gate("api"));
        rig.store().clear(Rig.key("gate api"));
        assertThat(worker.claim(9))
                .as("a place in use is not made free by clearing")
                .isEmpty();
    }

    @Test
    default void aHoldInTheFutureBlocksAndOneInThePastIsIgnored(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        List<JobId> ids = rig.enqueue(2, job("q").gate("api"));
        assertThat(rig.store().hold(Rig.key("gate api"), Duration.ofSeconds(-5), "past"))
                .isFalse();
        assertThat(worker.claim(1)).containsExactly(ids.getFirst());
        assertThat(rig.store().hold(Rig.key("gate api"), Duration.ofSeconds(5), "maintenance"))
                .isTrue();
        assertThat(worker.claim(1)).isEmpty();
        assertThat(worker.sleep()).isEqualTo(Duration.ofSeconds(5));
        rig.advance(Duration.ofSeconds(5));
        assertThat(worker.claim(1)).containsExactly(ids.getLast());
    }

    @Test
    default void aFreeWindowDoesNotEraseAHold(Rig rig) {
        rig.policy("gate api", "window 5/1s");
        ScriptedWorker worker = rig.worker("q");
        rig.enqueue(1, job("q").gate("api"));
        rig.store().hold(Rig.key("gate api"), Duration.ofSeconds(10), "told so");
        rig.advance(Duration.ofSeconds(9));
        assertThat(worker.claim(1)).isEmpty();
        rig.advance(Duration.ofSeconds(1));
        assertThat(worker.claim(1)).hasSize(1);
    }

    @Test
    default void ofFiveAskersAtADelayOfAHundredMillisecondsOneWins(Rig rig) {
        rig.policy("queue q", "delay 100ms");
        List<JobId> ids = rig.enqueue(5, job("q"));
        assertThat(askInTurn(rig, 5)).containsExactly(ids.getFirst());
        rig.advance(Duration.ofMillis(100).minusNanos(1_000));
        assertThat(askInTurn(rig, 2)).isEmpty();
        rig.advance(Duration.ofNanos(1_000));
        assertThat(askInTurn(rig, 2)).containsExactly(ids.get(1));
    }

    @Test
    default void ofFiveAskersAtTenPerTenSecondsEvenlyOneWinsAndTheNextASecondLater(Rig rig) {
        rig.policy("queue q", "spaced 10/10s");
        ScriptedWorker worker = rig.worker("q");
        List<JobId> ids = rig.enqueue(6, job("q"));
        assertThat(askInTurn(rig, 5)).containsExactly(ids.getFirst());
        for (JobId next : ids.subList(1, 6)) {
            Duration sleep = Objects.requireNonNull(worker.sleep());
            assertThat(sleep).isBetween(Duration.ofSeconds(1), later(Duration.ofSeconds(1)));
            rig.time().advance(sleep.minusNanos(1_000));
            assertThat(worker.claim(5)).isEmpty();
            rig.time().advance(Duration.ofNanos(1_000));
            assertThat(worker.claim(5)).containsExactly(next);
            // Some end at once and some never do: starts keep their distance whatever the durations.
            if (next.value() % 2 == 0) {
                worker.finish(next);
            }
        }
    }

    @Test
    default void everyBoundOfAWindowAndABackOffIsChecked(Rig rig) {
        for (String limits : List.of(
                "window 0/1s",
                "window -1/1s",
                "window 1/0s",
                "window 1/1s; back-off 0s x2 max 10m",
                "window 1/1s; back-off 1s x1 max 10m",
                "window 1/1s; back-off 1s x0.5 max 10m",
                "window 1/1s; back-off 1s x2 max 1s",
                "window 1/1s; back-off 10s x2 max 1s")) {
            assertThatIllegalArgumentException().as(limits).isThrownBy(() -> rig.policy("gate api", limits));
        }
    }

    @Test
    default void backOffGrowsWithEachRejectionUpToItsMaximumAndNotWithDeniedPolls(Rig rig) {
        rig.policy("gate api", "back-off 1s x2 max 3s; window 100/1s");
        ScriptedWorker worker = rig.worker("q");
        JobId id = rig.enqueue(job("q").gate("api"));
        for (long seconds : List.of(1L, 2L, 3L, 3L)) {
            assertThat(worker.claim(1)).containsExactly(id);
            worker.bring(id, rejected(null, 0));
            for (int poll = 0; poll < 5; poll++) {
                assertThat(worker.claim(1)).isEmpty();
            }
            assertThat(worker.sleep()).isEqualTo(Duration.ofSeconds(seconds));
            rig.advance(Duration.ofSeconds(seconds));
        }
    }

    @Test
    default void jitterAddsFromNothingToJustUnderAsMuchAgain(Rig rig) {
        rig.policy("gate api", "back-off 1s x2 max 10m");
        ScriptedWorker worker = rig.worker("q");
        JobId id = rig.enqueue(job("q").gate("api"));
        worker.claim(1);
        worker.bring(id, rejected(null, 500_000));
        assertThat(worker.sleep()).isEqualTo(Duration.ofMillis(1_500));
        rig.advance(Duration.ofMillis(1_500));
        worker.claim(1);
        worker.bring(id, rejected(null, 999_999));
        assertThat(worker.sleep()).isLessThan(Duration.ofSeconds(4)).isGreaterThan(Duration.ofMillis(3_999));
    }

    @Test
    default void ofSeveralLimitsOneThatRefusesLeavesNoTraceInTheOthers(Rig rig) {
        rig.policy("gate a", "window 3/1h").policy("gate b", "concurrency 1; delay 1s");
        ScriptedWorker worker = rig.worker("q");
        rig.enqueue(3, job("q").gate("a", "b"));
        assertThat(worker.claim(9)).hasSize(1);
        for (int poll = 0; poll < 5; poll++) {
            assertThat(worker.claim(9)).isEmpty();
        }
        JobId free = rig.enqueue(2, job("q").gate("a")).getLast();
        assertThat(worker.claim(9)).hasSize(2).contains(free);
        assertThat(rig.explain(rig.enqueue(job("q").gate("a")))
                        .place()
                        .gates()
                        .getFirst()
                        .decision()
                        .toString())
                .contains("3 of 3 in the last 1h");
    }

    @Test
    default void aLimitAddedAtRunTimeTakesEffectAndClearReachesAllOfAGate(Rig rig) {
        rig.policy("gate api", "window 5/1h");
        ScriptedWorker worker = rig.worker("q");
        rig.enqueue(10, job("q").gate("api"));
        assertThat(worker.claim(2)).hasSize(2);
        rig.policy("gate api", "window 5/1h; rate 1/1h burst 1");
        assertThat(worker.claim(9)).hasSize(1);
        assertThat(worker.claim(9)).isEmpty();
        rig.store().clear(Rig.key("gate api"));
        assertThat(worker.claim(9)).as("both limits are as new").hasSize(1);
    }

    @Test
    default void ofSixteenAtFourPerMinuteTwelveStillWait(Rig rig) {
        rig.policy("queue q", "window 4/60s");
        rig.enqueue(16, job("q"));
        ScriptedWorker worker = rig.worker("q");
        worker.claim(16);
        worker.finishAll();
        assertThat(worker.claim(16)).isEmpty();
        assertThat(rig.count("q", JobState.QUEUED)).isEqualTo(12);
        assertThat(rig.count("q", JobState.SUCCEEDED)).isEqualTo(4);
    }

    @Test
    default void twoQueuesDoNotTouchEachOther(Rig rig) {
        rig.policy("queue q", "window 1/1h").policy("queue r", "window 1/1h");
        rig.enqueue(2, job("q"));
        rig.enqueue(2, job("r"));
        ScriptedWorker worker = rig.worker("q", "r");
        assertThat(worker.claim(9)).hasSize(2);
        assertThat(rig.count("q", JobState.QUEUED)).isEqualTo(1);
        assertThat(rig.count("r", JobState.QUEUED)).isEqualTo(1);
    }

    @Test
    default void afterAStopAndAStartTheLimitsStillHold(Rig rig) {
        rig.policy("queue q", "window 2/1m; concurrency 2").policy("gate api", "delay 30s");
        List<JobId> ids = rig.enqueue(3, job("q").gate("api"));
        ScriptedWorker worker = rig.worker("q");
        assertThat(worker.claim(9)).containsExactly(ids.getFirst());
        rig.store().close();
        rig.reopenedAs(reopen(rig.time()));
        assertThat(worker.claim(9)).isEmpty();
        rig.advance(Duration.ofSeconds(30));
        assertThat(worker.claim(9)).containsExactly(ids.get(1));
        worker.finishAll();
        rig.advance(Duration.ofSeconds(30));
        assertThat(worker.claim(9)).containsExactly(ids.get(2));
    }

    @Test
    default void aJobPastItsDeadlineFailsAndStandsInNobodysWay(Rig rig) {
        rig.policy("gate api", "concurrency 1");
        ScriptedWorker worker = rig.worker("q");
        JobId late = rig.enqueue(job("q").gate("api").deadline(rig.time().now().plusSeconds(5)));
        JobId next = rig.enqueue(job("q").gate("api"));
        rig.advance(Duration.ofSeconds(5));
        assertThat(worker.claim(9)).containsExactly(next);
        assertThat(rig.state(late)).isEqualTo(JobState.FAILED);
        assertThat(rig.leases("gate api")).isEqualTo(1);
    }

    @Test
    default void aRunningJobThatFailsGivesItsSlotBack(Rig rig) {
        rig.policy("gate api", "concurrency 1");
        ScriptedWorker worker = rig.worker("q");
        List<JobId> ids = rig.enqueue(2, job("q").gate("api"));
        worker.claim(9);
        worker.fail(ids.getFirst(), "took longer than its timeout");
        assertThat(worker.claim(9)).containsExactly(ids.getLast());
    }

    @Test
    default void anAbortBeforeTheStartMeansItNeverRuns(Rig rig) {
        JobId id = rig.enqueue(job("q").gate("api"));
        rig.store().cancel(id);
        assertThat(rig.worker("q").claim(9)).isEmpty();
        assertThat(rig.state(id)).isEqualTo(JobState.CANCELLED);
    }

    @Test
    default void aRetryWithADateIsDueThenAndOneWithADateInThePastAtOnce(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId id = rig.enqueue(job("q").attempts(9));
        worker.claim(1);
        worker.retryAt(id, rig.time().now().plusSeconds(90));
        assertThat(worker.sleep()).isEqualTo(Duration.ofSeconds(90));
        rig.advance(Duration.ofSeconds(90));
        assertThat(worker.claim(1)).containsExactly(id);
        worker.retryAt(id, rig.time().now().minusSeconds(90));
        assertThat(worker.claim(1)).as("never lost").containsExactly(id);
    }

    @Test
    default void aRejectionWithoutADateWaitsForTheGatesNextTime(Rig rig) {
        rig.policy("gate api", "back-off 7s x2 max 10m; delay 60s");
        ScriptedWorker worker = rig.worker("q");
        JobId id = rig.enqueue(job("q").gate("api"));
        worker.claim(1);
        worker.bring(id, rejected(null, 0));
        assertThat(worker.sleep()).as("the later of back-off and delay").isEqualTo(Duration.ofSeconds(60));
        rig.advance(Duration.ofSeconds(60));
        assertThat(worker.claim(1)).containsExactly(id);
        assertThat(rig.status(id).leases().attempt())
                .as("a rejection burns no attempt")
                .isEqualTo(1);
    }

    @Test
    default void aPermanentFailureIsNeverRetried(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId id = rig.enqueue(job("q").attempts(9));
        worker.claim(1);
        worker.fail(id, "no such address");
        rig.advance(Duration.ofDays(1));
        assertThat(worker.claim(1)).isEmpty();
        assertThat(rig.state(id)).isEqualTo(JobState.FAILED);
    }

    @Test
    default void aJobThatBecomesDueWhileAWorkerIsIdleStartsAtOnce(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        assertThat(worker.sleep()).as("idle until woken").isNull();
        JobId id = rig.enqueue(job("q").gate("api").after(Duration.ofMillis(250)));
        assertThat(worker.sleep()).isEqualTo(Duration.ofMillis(250));
        rig.advance(Duration.ofMillis(250));
        assertThat(worker.claim(1)).containsExactly(id);
    }
}
