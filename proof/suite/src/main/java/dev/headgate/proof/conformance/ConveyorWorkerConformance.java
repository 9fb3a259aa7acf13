package dev.headgate.proof.conformance;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.handler.BatchMember;
import dev.headgate.handler.BatchOptions;
import dev.headgate.handler.HandlerOptions;
import dev.headgate.handler.PermanentFailure;
import dev.headgate.handler.RetryPolicy;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.JobType;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limiter.Limiter;
import dev.headgate.limiter.LocalLimiter;
import dev.headgate.proof.Rig;
import dev.headgate.testkit.stepped.SteppedHeadgate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * What users of Conveyor know of its workers: a limiter of {@code max} starts in a {@code duration} that each worker has of
 * its own, and batches. Runs real workers, stepped.
 */
public interface ConveyorWorkerConformance extends Conformance {
    JobType<Item> WORK = JobType.of("work", Item.class);

    record Item() {}

    private static LocalLimiter limiter(Rig rig, String limits) {
        return Limiter.inProcess(GatePolicy.parse(limits), () -> rig.time().micros() * 1_000);
    }

    private static void worker(SteppedHeadgate stepped, LocalLimiter limiter) {
        stepped.headgate().worker("q").slots(20).limiter(limiter).start();
    }

    private static SteppedHeadgate stepped(Rig rig) {
        SteppedHeadgate stepped = new SteppedHeadgate(rig.store().backend(), rig.time());
        stepped.headgate().handle(WORK, (item, job) -> {});
        return stepped;
    }

    @Test
    default void ofFiveAWorkerAtTwoPerThreeSecondsStartsTwoWithinTwo(Rig rig) {
        try (SteppedHeadgate stepped = stepped(rig)) {
            worker(stepped, limiter(rig, "window 2/3s"));
            List<JobId> ids = rig.enqueue(5, job("q"));
            assertThat(stepped.runFor(Duration.ofSeconds(2))).isEqualTo(ids.subList(0, 2));
            assertThat(rig.count("q", JobState.QUEUED)).isEqualTo(3);
            assertThat(rig.status(ids.get(2)).leases().attempt()).isZero();
        }
    }

    @Test
    default void ofFiveAWorkerAtTwoPerOneAndAHalfSecondsStartsAtLeastFourWithinFive(Rig rig) {
        try (SteppedHeadgate stepped = stepped(rig)) {
            worker(stepped, limiter(rig, "window 2/1500ms"));
            List<JobId> ids = rig.enqueue(5, job("q"));
            assertThat(stepped.runFor(Duration.ofSeconds(5))).isEqualTo(ids);
        }
    }

    @Test
    default void threeWorkersWithALimiterEachStartThreeTimesAsMany(Rig rig) {
        try (SteppedHeadgate stepped = stepped(rig)) {
            for (int i = 0; i < 3; i++) {
                worker(stepped, limiter(rig, "window 2/10s"));
            }
            List<JobId> ids = rig.enqueue(9, job("q"));
            assertThat(stepped.run()).hasSize(6);
            assertThat(stepped.runFor(Duration.ofMillis(9_999))).isEmpty();
            assertThat(stepped.runFor(Duration.ofMillis(1))).containsExactlyInAnyOrderElementsOf(ids.subList(6, 9));
        }
    }

    @Test
    default void threeWorkersThatShareALimiterStartAsManyAsOne(Rig rig) {
        try (SteppedHeadgate stepped = stepped(rig)) {
            LocalLimiter shared = limiter(rig, "window 2/10s");
            for (int i = 0; i < 3; i++) {
                worker(stepped, shared);
            }
            List<JobId> ids = rig.enqueue(5, job("q"));
            assertThat(stepped.run()).containsExactlyInAnyOrderElementsOf(ids.subList(0, 2));
            assertThat(rig.state(ids.get(2))).isEqualTo(JobState.QUEUED);
            assertThat(stepped.runFor(Duration.ofMillis(9_999))).isEmpty();
            assertThat(stepped.runFor(Duration.ofMillis(1))).containsExactlyInAnyOrderElementsOf(ids.subList(2, 4));
        }
    }

    @Test
    default void aWorkerWithoutALimiterDoesNotAskThatOfAnother(Rig rig) {
        try (SteppedHeadgate stepped = stepped(rig)) {
            worker(stepped, limiter(rig, "window 1/10s"));
            rig.enqueue(3, job("q"));
            assertThat(stepped.run()).hasSize(1);
            stepped.headgate().worker("q").start();
            assertThat(stepped.run()).hasSize(2);
        }
    }

    @Test
    default void theLimiterHoldsBesideTheGateOfTheQueue(Rig rig) {
        rig.policy("queue q", "window 3/10s margin none");
        try (SteppedHeadgate stepped = stepped(rig)) {
            worker(stepped, limiter(rig, "window 2/1s"));
            rig.enqueue(6, job("q"));
            assertThat(stepped.run()).hasSize(2);
            assertThat(stepped.runFor(Duration.ofSeconds(1)))
                    .as("the third of the queue")
                    .hasSize(1);
            assertThat(stepped.runFor(Duration.ofMillis(8_999))).isEmpty();
            assertThat(stepped.runFor(Duration.ofMillis(1)))
                    .as("the first two of the queue have left its window")
                    .hasSize(2);
        }
    }

    @Test
    default void windowsOfDifferentLengthDoNotDisturbEachOther(Rig rig) {
        try (SteppedHeadgate stepped = stepped(rig)) {
            worker(stepped, limiter(rig, "window 1/1s; window 3/10s"));
            rig.enqueue(6, job("q"));
            assertThat(stepped.runFor(Duration.ofSeconds(2)))
                    .as("at 0, 1 and 2 s")
                    .hasSize(3);
            assertThat(stepped.runFor(Duration.ofMillis(7_999))).isEmpty();
            assertThat(stepped.runFor(Duration.ofMillis(1))).hasSize(1);
        }
    }

    @Test
    default void aRetryCountsAtTheLimiterLikeAnyStart(Rig rig) {
        AtomicInteger tried = new AtomicInteger();
        try (SteppedHeadgate stepped = new SteppedHeadgate(rig.store().backend(), rig.time())) {
            HandlerOptions soon = HandlerOptions.DEFAULT.retry(RetryPolicy.fixed(Duration.ofMillis(10)));
            stepped.headgate()
                    .handle(
                            WORK,
                            (item, job) -> {
                                if (tried.incrementAndGet() == 1) {
                                    throw new IllegalStateException("once more");
                                }
                            },
                            soon);
            worker(stepped, limiter(rig, "window 2/10s"));
            List<JobId> ids = rig.enqueue(2, job("q"));
            assertThat(stepped.runFor(Duration.ofMillis(9_999)))
                    .as("the retry waits for its turn like any start")
                    .isEqualTo(ids);
            assertThat(rig.status(ids.getFirst()).leases().attempt()).isEqualTo(1);
            assertThat(stepped.runFor(Duration.ofMillis(1))).containsExactly(ids.getFirst());
            assertThat(rig.state(ids.getFirst())).isEqualTo(JobState.SUCCEEDED);
        }
    }

    @Test
    default void explainNamesTheLimiterOfTheWorkerAndWhenItOpens(Rig rig) {
        try (SteppedHeadgate stepped = stepped(rig)) {
            worker(stepped, limiter(rig, "window 2/1m"));
            List<JobId> ids = rig.enqueue(3, job("q"));
            stepped.runFor(Duration.ofSeconds(10));
            assertThat(rig.explain(ids.getLast()).summary())
                    .contains("its own limiter lets nothing start: 2 of 2")
                    .contains("(window 2/1m), opens at 2026-01-01T00:01:00Z");
        }
    }

    @Test
    default void aLimiterThatMakesNoSenseIsRefused(Rig rig) {
        for (String limits :
                List.of("window 0/1s", "window -1/1s", "window 1.5/1s", "window 1/0s", "window 1/-1000ms")) {
            assertThatIllegalArgumentException().as(limits).isThrownBy(() -> limiter(rig, limits));
        }
    }

    /** The sizes of the batches that this handler got, in order. */
    private static List<Integer> batches(SteppedHeadgate stepped, int members) {
        List<Integer> sizes = new CopyOnWriteArrayList<>();
        stepped.headgate().handleBatch(WORK, BatchOptions.upTo(members), batch -> sizes.add(batch.size()));
        return sizes;
    }

    @Test
    default void aBatchOfTenAtAMaximumOfTwoHasTwoJobs(Rig rig) {
        try (SteppedHeadgate stepped = new SteppedHeadgate(rig.store().backend(), rig.time())) {
            List<Integer> sizes = batches(stepped, 10);
            worker(stepped, limiter(rig, "window 2/10s"));
            rig.enqueue(10, job("q"));
            stepped.run();
            assertThat(sizes).containsExactly(2);
            stepped.runFor(Duration.ofSeconds(10));
            assertThat(sizes).containsExactly(2, 2);
        }
    }

    @Test
    default void ofNineInBatchesOfThreeNeverMoreThanTwoBatchesRunAtOnce(Rig rig) {
        try (SteppedHeadgate stepped = new SteppedHeadgate(rig.store().backend(), rig.time())) {
            List<Integer> sizes = batches(stepped, 3);
            stepped.headgate().worker("q").slots(2 * 3).start();
            rig.enqueue(9, job("q"));
            assertThat(stepped.claim())
                    .as("two batches, waiting for their handlers")
                    .hasSize(6);
            assertThat(stepped.claim()).isEmpty();
            assertThat(stepped.run()).hasSize(9);
            assertThat(sizes).containsExactly(3, 3, 3);
        }
    }

    @Test
    default void aPartialBatchGoesAtOnce(Rig rig) {
        try (SteppedHeadgate stepped = new SteppedHeadgate(rig.store().backend(), rig.time())) {
            List<Integer> sizes = batches(stepped, 10);
            stepped.headgate().worker("q").slots(20).start();
            rig.enqueue(3, job("q"));
            stepped.run();
            assertThat(sizes).containsExactly(3);
        }
    }

    @Test
    default void oneFailureInABatchFailsThatJobOnlyAndAThrowFailsAll(Rig rig) {
        try (SteppedHeadgate stepped = new SteppedHeadgate(rig.store().backend(), rig.time())) {
            stepped.headgate().handleBatch(WORK, BatchOptions.upTo(3), batch -> {
                if (batch.size() == 2) {
                    throw new PermanentFailure("all of it is bad");
                }
                batch.get(1).fail(new PermanentFailure("one is bad"));
            });
            stepped.headgate().worker("q").slots(20).start();
            List<JobId> three = rig.enqueue(3, job("q"));
            stepped.run();
            assertThat(three.stream().map(rig::state))
                    .containsExactlyInAnyOrder(JobState.SUCCEEDED, JobState.FAILED, JobState.SUCCEEDED);
            List<JobId> two = rig.enqueue(2, job("q"));
            stepped.run();
            assertThat(two.stream().map(rig::state)).containsOnly(JobState.FAILED);
            assertThat(rig.status(two.getFirst()).report().detail()).contains("all of it is bad");
        }
    }

    @Test
    default void prioritiesHoldInABatch(Rig rig) {
        List<JobId> members = new ArrayList<>();
        try (SteppedHeadgate stepped = new SteppedHeadgate(rig.store().backend(), rig.time())) {
            stepped.headgate()
                    .handleBatch(
                            WORK,
                            BatchOptions.upTo(2),
                            batch -> batch.stream().map(BatchMember::job).forEach(job -> members.add(job.id())));
            List<JobId> ids = rig.enqueue(job("q"), job("q").priority(1), job("q").priority(2));
            stepped.headgate().worker("q").slots(2).start();
            stepped.run();
            assertThat(members.subList(0, 2)).containsExactlyInAnyOrder(ids.get(2), ids.get(1));
            assertThat(members).hasSize(3).last().isEqualTo(ids.get(0));
        }
    }
}
