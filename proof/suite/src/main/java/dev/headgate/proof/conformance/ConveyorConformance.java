package dev.headgate.proof.conformance;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.Unmet;
import dev.headgate.limit.BacklogFullException;
import dev.headgate.limit.Pause;
import dev.headgate.proof.Jobs;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.spi.JobTable.Inserted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What users of Conveyor know: a sliding window per queue, groups with a concurrency each, a cap on what waits, dedup.
 * Limiters of workers, and batches, are in {@link ConveyorWorkerConformance}.
 */
public interface ConveyorConformance extends Conformance {
    @Test
    default void ofFiveAtTwoPerThreeSecondsAtMostTwoStartWithinTwo(Rig rig) {
        rig.policy("queue q", "window 2/3s");
        List<JobId> ids = rig.enqueue(5, job("q"));
        assertThat(startedWithin(rig, Duration.ofSeconds(2))).isEqualTo(ids.subList(0, 2));
    }

    @Test
    default void ofFiveAtTwoPerOneAndAHalfSecondsAtLeastFourStartWithinFive(Rig rig) {
        rig.policy("queue q", "window 2/1500ms");
        List<JobId> ids = rig.enqueue(5, job("q"));
        assertThat(startedWithin(rig, Duration.ofSeconds(5)))
                .as("two each at 0, 1.5 and 3 seconds")
                .isEqualTo(ids);
    }

    @Test
    default void withoutALimitAllStart(Rig rig) {
        List<JobId> ids = rig.enqueue(5, job("q"));
        assertThat(startedWithin(rig, Duration.ZERO)).isEqualTo(ids);
    }

    /** What a worker starts that sleeps as it is told and ends each job at once. */
    private static List<JobId> startedWithin(Rig rig, Duration span) {
        ScriptedWorker worker = rig.worker("q");
        List<JobId> started = new ArrayList<>();
        Duration left = span;
        while (true) {
            started.addAll(worker.claim(10));
            worker.finishAll();
            Duration pause = worker.sleep();
            if (pause == null || pause.compareTo(left) > 0) {
                return started;
            }
            rig.advance(pause);
            left = left.minus(pause);
        }
    }

    @Test
    default void countsAndDurationsThatMakeNoSenseAreErrors(Rig rig) {
        for (String limit : List.of(
                "window 0/1s",
                "window -1/1s",
                "window 1.5/1s",
                "window 1/0s",
                "window 1/-1000ms",
                "concurrency 0",
                "concurrency 1.5",
                "backlog 0",
                "backlog -1")) {
            assertThatIllegalArgumentException().as(limit).isThrownBy(() -> rig.policy("queue q", limit));
        }
    }

    @Test
    default void ofThreeWorkersAtAMaximumOfTwoTheThirdIsDeniedAndItsJobStillWaits(Rig rig) {
        rig.policy("queue q", "window 2/10s");
        List<JobId> ids = rig.enqueue(3, job("q"));
        assertThat(rig.worker("q").claim(1)).containsExactly(ids.get(0));
        assertThat(rig.worker("q").claim(1)).containsExactly(ids.get(1));
        assertThat(rig.worker("q").claim(1)).isEmpty();
        assertThat(rig.state(ids.get(2))).isEqualTo(JobState.QUEUED);
        assertThat(rig.status(ids.get(2)).leases().attempt()).isZero();
    }

    @Test
    default void atOnePerFiftyMillisecondsTheSecondIsDeniedAndGrantedAfterSixty(Rig rig) {
        rig.policy("queue q", "window 1/50ms");
        List<JobId> ids = rig.enqueue(2, job("q"));
        ScriptedWorker worker = rig.worker("q");
        assertThat(worker.claim(2)).containsExactly(ids.getFirst());
        assertThat(worker.claim(2)).isEmpty();
        rig.advance(Duration.ofMillis(60));
        assertThat(worker.claim(2)).containsExactly(ids.getLast());
    }

    @Test
    default void whoAsksForTenAtAMaximumOfTwoGetsTwo(Rig rig) {
        rig.policy("queue q", "window 2/1m");
        List<JobId> ids = rig.enqueue(10, job("q"));
        assertThat(rig.worker("q").claim(10)).isEqualTo(ids.subList(0, 2));
    }

    @Test
    default void aGlobalConcurrencyOfOneWithFourSlotsPeaksAtOne(Rig rig) {
        rig.policy("queue q", "concurrency 1");
        rig.enqueue(5, job("q"));
        List<ScriptedWorker> workers = List.of(rig.worker("q"), rig.worker("q"), rig.worker("q"), rig.worker("q"));
        int ended = 0;
        while (ended < 5) {
            int running = 0;
            for (ScriptedWorker worker : workers) {
                running += worker.claim(4).size();
            }
            assertThat(running).isEqualTo(1);
            assertThat(rig.count("q", JobState.RUNNING)).isEqualTo(1);
            workers.forEach(ScriptedWorker::finishAll);
            ended++;
        }
        assertThat(rig.count("q", JobState.SUCCEEDED)).isEqualTo(5);
    }

    @Test
    default void aFullGroupIsSkippedWhileOthersRunAndTheCountsOfEachAreExact(Rig rig) {
        rig.policy("gate group:*", "concurrency 2; backlog 100");
        ScriptedWorker worker = rig.worker("q");
        List<JobId> a = rig.enqueue(5, job("q").gate("group:a"));
        List<JobId> b = rig.enqueue(1, job("q").gate("group:b"));
        assertThat(worker.claim(10)).containsExactlyInAnyOrder(a.get(0), a.get(1), b.getFirst());
        assertThat(rig.leases("gate group:a")).isEqualTo(2);
        assertThat(rig.leases("gate group:b")).isEqualTo(1);
        assertThat(waiting(rig, "group:a")).isEqualTo(3);
        assertThat(waiting(rig, "group:b")).isZero();
        worker.finish(a.get(1));
        assertThat(worker.claim(10)).containsExactly(a.get(2));
        assertThat(waiting(rig, "group:a")).isEqualTo(2);
        worker.finishAll();
        assertThat(rig.leases("gate group:a")).isZero();
        assertThat(rig.leases("gate group:b")).isZero();
    }

    @Test
    default void groupsAlternate(Rig rig) {
        rig.policy("queue q", "concurrency 1; fair by group:*");
        ScriptedWorker worker = rig.worker("q");
        List<JobId> a = rig.enqueue(2, job("q").gate("group:a"));
        List<JobId> b = rig.enqueue(2, job("q").gate("group:b"));
        List<JobId> order = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            order.addAll(worker.claim(4));
            worker.finishAll();
        }
        assertThat(order).containsExactly(a.get(0), b.get(0), a.get(1), b.get(1));
    }

    private static long waiting(Rig rig, String gate) {
        return rig.store().backend().read(tx -> tx.backlog().count(Rig.key("gate " + gate), 1_000));
    }

    @Test
    default void aCapOnWhatWaitsOfAKeyIsExactForOneAndForMany(Rig rig) {
        rig.policy("gate group:*", "backlog 3");
        Jobs.Draft draft = job("q").gate("group:a");
        rig.enqueue(2, draft);
        assertThatExceptionOfType(BacklogFullException.class).isThrownBy(() -> rig.enqueue(2, draft));
        rig.enqueue(draft);
        assertThatExceptionOfType(BacklogFullException.class).isThrownBy(() -> rig.enqueue(draft));
        rig.enqueue(3, job("q").gate("group:b"));
        assertThat(rig.count("q", JobState.QUEUED)).isEqualTo(6);
        rig.worker("q").claim(1);
        rig.enqueue(draft);
        assertThatExceptionOfType(BacklogFullException.class).isThrownBy(() -> rig.enqueue(draft));
    }

    @Test
    default void aPauseByJobNameSkipsOnlyThatNameAndAQueuesPauseStopsAll(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId mail = rig.enqueue(job("q").type("mail"));
        JobId report = rig.enqueue(job("q").type("report"));
        rig.store().policyStore().pause(Pause.type("mail"), "ada", "bounces");
        assertThat(worker.claim(9)).containsExactly(report);
        rig.store().policyStore().pause(Pause.queue("q"), "ada", "maintenance");
        JobId late = rig.enqueue(job("q").type("report"));
        assertThat(worker.claim(9)).isEmpty();
        rig.store().policyStore().resume(Pause.type("mail"));
        assertThat(worker.claim(9)).as("the queue is still paused").isEmpty();
        rig.store().policyStore().resume(Pause.queue("q"));
        assertThat(worker.claim(9)).containsExactly(mail, late);
    }

    @Test
    default void aDelayedJobRunsOnlyWhenDue(Rig rig) {
        JobId late = rig.enqueue(job("q").after(Duration.ofSeconds(2)));
        JobId now = rig.enqueue(job("q"));
        ScriptedWorker worker = rig.worker("q");
        assertThat(worker.claim(2)).containsExactly(now);
        rig.advance(Duration.ofMillis(1_999));
        assertThat(worker.claim(1)).isEmpty();
        rig.advance(Duration.ofMillis(1));
        assertThat(worker.claim(1)).containsExactly(late);
    }

    @Test
    default void dedupGoesByKeyOrByAHashOfThePayloadAndFinishedJobsDoNotCount(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        Inserted first = rig.insert(byHash("{\"user\":7}"));
        assertThat(rig.insert(byHash("{\"user\":7}"))).isEqualTo(new Inserted(first.id(), false));
        assertThat(rig.insert(byHash("{\"user\":8}")).isNew()).isTrue();
        worker.claim(2);
        assertThat(rig.insert(byHash("{\"user\":7}")).isNew()).isFalse();
        worker.finishAll();
        assertThat(rig.insert(byHash("{\"user\":7}")).isNew()).isTrue();
    }

    private static Jobs.Draft byHash(String payload) {
        return job("q").payload(payload).dedup("sync#" + payload.hashCode());
    }

    @Test
    default void aDedupKeyWithATimeToLiveIsFreeWhenThatIsOver(Rig rig) {
        Duration ttl = Duration.ofSeconds(5);
        rig.insert(job("q").dedup("k").dedupFor(ttl));
        assertThat(rig.insert(job("q").dedup("k").dedupFor(ttl)).isNew()).isFalse();
        rig.advance(ttl);
        assertThat(rig.insert(job("q").dedup("k").dedupFor(ttl)).isNew()).isTrue();
    }

    @Test
    default void aDeniedWorkerSleepsExactlyUntilItMay(Rig rig) {
        rig.policy("queue q", "window 2/3s");
        List<JobId> ids = rig.enqueue(3, job("q"));
        ScriptedWorker worker = rig.worker("q");
        worker.claim(1);
        rig.advance(Duration.ofMillis(700));
        worker.claim(1);
        assertThat(worker.sleep()).isEqualTo(Duration.ofMillis(2_300));
        rig.time().advance(Duration.ofMillis(2_300).minusNanos(1_000));
        assertThat(worker.claim(1)).isEmpty();
        assertThat(worker.sleep()).isEqualTo(Duration.ofNanos(1_000));
        rig.time().advance(Duration.ofNanos(1_000));
        assertThat(worker.claim(1)).containsExactly(ids.getLast());
    }

    @Test
    default void inAFlowTheParentWaitsAndItsLastChildReleasesIt(Rig rig) {
        ScriptedWorker worker = rig.worker("children", "parents");
        List<JobId> flow =
                rig.enqueue(job("children"), job("children"), job("parents").children(0, 1));
        assertThat(worker.claim(9)).containsExactlyInAnyOrder(flow.get(0), flow.get(1));
        worker.finish(flow.get(0));
        assertThat(worker.claim(9)).isEmpty();
        worker.finish(flow.get(1));
        assertThat(worker.claim(9)).containsExactly(flow.get(2));
    }

    @Test
    default void aFailedChildFailsIsIgnoredOrRemovesTheParent(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        JobId failed = flowWithAFailedChild(rig, worker, Unmet.FAIL);
        assertThat(rig.state(failed)).isEqualTo(JobState.FAILED);
        JobId removed = flowWithAFailedChild(rig, worker, Unmet.REMOVE);
        assertThat(rig.store().find(removed)).isNull();
        JobId goesOn = flowWithAFailedChild(rig, worker, Unmet.IGNORE);
        assertThat(rig.state(goesOn)).as("the other child has not ended").isEqualTo(JobState.AWAITING);
        worker.finishAll();
        assertThat(worker.claim(9)).containsExactly(goesOn);
    }

    private static JobId flowWithAFailedChild(Rig rig, ScriptedWorker worker, Unmet unmet) {
        List<JobId> flow = rig.enqueue(job("q"), job("q"), job("q").children(unmet, 0, 1));
        worker.claim(2);
        worker.fail(flow.getFirst(), "child error");
        return flow.getLast();
    }

    @Test
    default void aMissingParentIsHarmlessToItsChildren(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        List<JobId> flow = rig.enqueue(job("q"), job("q").children(0));
        rig.store().delete(flow.getLast());
        assertThat(worker.claim(9)).containsExactly(flow.getFirst());
        assertThat(worker.finish(flow.getFirst())).isTrue();
        assertThat(worker.claim(9)).isEmpty();
    }
}
