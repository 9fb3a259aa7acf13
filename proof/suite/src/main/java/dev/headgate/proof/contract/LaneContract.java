package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.job.Cost;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.Lane;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.HeadOfLane;
import dev.headgate.spi.JobTable.Inserted;
import dev.headgate.spi.NewJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Lanes and doorbells: whatever happens to a lane, no arrival is lost and no sleeper is forgotten. */
public interface LaneContract extends StoreFixture {
    @Test
    default void anArrivalThatWasRungButNotFiledIsSeenByTheNextClaim(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(2)).isEmpty();
        JobId first = rig.enqueue(job("mail").gate("a"));
        JobId second = rig.enqueue(job("mail").gate("b"));
        assertThat(worker.claim(2)).containsExactly(first, second);
    }

    @Test
    default void anEmptiedLaneComesBackWithItsNextArrival(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        for (int round = 0; round < 3; round++) {
            JobId id = rig.enqueue(job("mail").gate("a"));
            assertThat(worker.claim(5)).containsExactly(id);
            assertThat(worker.claim(5)).isEmpty();
        }
    }

    @Test
    default void anArrivalBehindTheLastJobThatWasSeenIsNotLost(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        JobId first = rig.enqueue(job("mail").gate("a"));
        // One slot: the claim reads one head and cannot know that the lane is empty now.
        assertThat(worker.claim(1)).containsExactly(first);
        JobId second = rig.enqueue(job("mail").gate("a"));
        assertThat(worker.claim(1)).containsExactly(second);
        assertThat(worker.claim(1)).isEmpty();
        JobId third = rig.enqueue(job("mail").gate("a"));
        assertThat(worker.claim(1)).containsExactly(third);
    }

    @Test
    default void aLaneThatIsEmptiedWhileADoorbellWaitsIsLookedAtAgain(Rig rig) {
        JobId first = rig.enqueue(job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        // A worker without slots files nothing, so this doorbell still waits when the lane runs empty.
        assertThat(worker.claim(5)).containsExactly(first);
        JobId second = rig.enqueue(job("mail").gate("a"));
        assertThat(worker.turn(0).started()).isEmpty();
        worker.finish(first);
        assertThat(worker.claim(5)).containsExactly(second);
    }

    @Test
    default void aDoorbellWithoutAJobIsHarmless(Rig rig) {
        Lane lane = new Lane("mail", List.of("a"));
        rig.store().backend().write(tx -> {
            tx.lanes().ring(List.of(HeadOfLane.of(lane, 1, Cost.of(1))));
            return null;
        });
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(5)).isEmpty();
        assertThat(worker.sleep()).isNull();
        JobId id = rig.enqueue(job("mail").gate("a"));
        assertThat(worker.claim(5)).containsExactly(id);
    }

    @Test
    default void aStartTakesItsDoorbellWithIt(Rig rig) {
        JobId first = rig.enqueue(job("mail").gate("a"));
        enqueueForTenants(rig, 63);
        JobId second = rig.enqueue(job("mail").gate("a"));
        JobId last = rig.enqueue(job("mail").gate("b"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(1)).containsExactly(first); // one slot hears 64 doorbells
        assertThat(worker.claim(1)).containsExactly(second);
        assertThat(bells(rig)).extracting(HeadOfLane::lane).containsExactly(new Lane("mail", List.of("b")));
        assertThat(worker.claimAll()).hasSize(64).endsWith(last);
    }

    @Test
    default void whatCameTogetherWithAJobThatWasCancelledIsNotLost(Rig rig) {
        List<NewJob> together =
                List.of(job("mail").gate("a").build(), job("mail").gate("a").build());
        List<Inserted> rows = rig.store().enqueue(together); // one doorbell for both
        rig.store().cancel(JobId.of(rows.getFirst().id()));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(5)).containsExactly(JobId.of(rows.getLast().id()));
    }

    @Test
    default void whileEnoughLanesAreReadyYoungerDoorbellsWait(Rig rig) {
        enqueueForTenants(rig, 66);
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(1)).hasSize(1); // one slot hears 64 doorbells
        assertThat(worker.claim(1)).hasSize(1); // and the rest
        JobId younger = rig.enqueue(job("mail").gate("a"));
        assertThat(worker.turn(1).started()).hasSize(1);
        assertThat(bells(rig)).extracting(HeadOfLane::lane).containsExactly(new Lane("mail", List.of("a")));
        assertThat(worker.claimAll()).hasSize(64).endsWith(younger);
    }

    private static void enqueueForTenants(Rig rig, int count) {
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            jobs.add(job("mail").gate("tenant:" + i).build());
        }
        rig.store().enqueue(jobs);
    }

    /** The doorbells that no turn has answered yet. */
    private static List<HeadOfLane> bells(Rig rig) {
        return rig.store().backend().write(tx -> {
            List<HeadOfLane> waiting =
                    tx.lanes().takeArrivals(List.of("mail"), 1_000, 0).get();
            tx.lanes().ring(waiting);
            return waiting;
        });
    }

    @Test
    default void moreArrivalsThanOneTurnCanFileAreFiledByTheNext(Rig rig) {
        List<JobId> ids = new ArrayList<>();
        for (int batch = 0; batch < 3; batch++) {
            List<NewJob> jobs = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                jobs.add(job("mail").gate("tenant:" + batch + "-" + i).build());
            }
            rig.store().enqueue(jobs).forEach(row -> ids.add(JobId.of(row.id())));
        }
        assertThat(rig.worker("mail").claimAll()).containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    default void theMostUrgentOfManyDoorbellsIsAnsweredFirst(Rig rig) {
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            jobs.add(job("mail").gate("tenant:" + i).build());
        }
        rig.store().enqueue(jobs);
        JobId urgent = rig.enqueue(job("mail").gate("tenant:urgent").priority(9));
        assertThat(rig.worker("mail").claim(1)).containsExactly(urgent);
    }

    @Test
    default void aLaneLeavesNothingBehindWhenItsLastJobHasStarted(Rig rig) {
        rig.policy("gate api", "concurrency 1");
        ScriptedWorker worker = rig.worker("mail");
        JobId first = rig.enqueue(job("mail").gate("api"));
        JobId second = rig.enqueue(job("mail").gate("api"));
        assertThat(worker.claim(5)).containsExactly(first);
        assertThat(standing(rig, "api")).as("the second waits").isEqualTo(1);
        worker.finish(first);
        assertThat(worker.claim(5)).containsExactly(second);
        assertThat(standing(rig, "api")).isZero();
        worker.finish(second);
        JobId third = rig.enqueue(job("mail").gate("api"));
        assertThat(worker.claim(5)).containsExactly(third);
    }

    private static int standing(Rig rig, String gate) {
        Lane lane = new Lane("mail", List.of(gate));
        return rig.store()
                .backend()
                .write(tx -> tx.lanes().findAll(List.of(lane.id())).size());
    }

    @Test
    default void aPriorityArrivalWakesAWaitingLane(Rig rig) {
        rig.policy("gate gpu", "budget 5");
        ScriptedWorker worker = rig.worker("video");
        JobId running = rig.enqueue(job("video").gate("gpu").cost(3));
        JobId big = rig.enqueue(job("video").gate("gpu").cost(5));
        assertThat(worker.claim(5)).containsExactly(running);
        JobId urgent = rig.enqueue(job("video").gate("gpu").cost(1).priority(1));
        assertThat(worker.claim(5)).containsExactly(urgent);
        worker.finishAll();
        assertThat(worker.claim(5)).containsExactly(big);
    }

    /** As urgent as the job that has just come to it, also beside lanes that have just come themselves. */
    @Test
    default void anUrgentArrivalMakesAReadyLaneUrgent(Rig rig) {
        ScriptedWorker worker = rig.worker("mail");
        List<JobId> older = rig.enqueue(2, job("mail").gate("a"));
        assertThat(worker.claim(1)).containsExactly(older.getFirst());
        JobId second = rig.enqueue(job("mail").gate("b").priority(5));
        JobId first = rig.enqueue(job("mail").gate("a").priority(9));
        assertThat(worker.claim(1)).containsExactly(first);
        assertThat(worker.claim(9)).containsExactly(second, older.getLast());
    }

    @Test
    default void aLaterArrivalDoesNotWakeAWaitingLane(Rig rig) {
        rig.policy("gate gpu", "budget 5");
        ScriptedWorker worker = rig.worker("video");
        rig.enqueue(job("video").gate("gpu").cost(3));
        JobId big = rig.enqueue(job("video").gate("gpu").cost(5));
        worker.claim(5);
        JobId small = rig.enqueue(job("video").gate("gpu").cost(1));
        assertThat(worker.claim(5)).isEmpty();
        worker.finishAll();
        assertThat(worker.claim(1)).containsExactly(big);
        worker.finishAll();
        assertThat(worker.claim(1)).containsExactly(small);
    }

    @Test
    default void aCancelledHeadLetsTheNextOneOfItsLaneStart(Rig rig) {
        headGoes(rig, head -> rig.store().cancel(head));
    }

    @Test
    default void aDeletedHeadLetsTheNextOneOfItsLaneStart(Rig rig) {
        headGoes(rig, head -> rig.store().delete(head));
    }

    @Test
    default void aRescheduledHeadLetsTheNextOneOfItsLaneStart(Rig rig) {
        headGoes(rig, head -> rig.store().reschedule(head, rig.time().now().plusSeconds(60)));
    }

    @Test
    default void aHeadOfLowerPriorityLetsTheNextOneOfItsLaneStart(Rig rig) {
        headGoes(rig, head -> rig.store().changePriority(head, -1));
    }

    @Test
    default void anExpiredHeadLetsTheNextOneOfItsLaneStart(Rig rig) {
        headGoes(rig, head -> rig.advance(Duration.ofSeconds(10)));
    }

    /** A lane waits with a head too big for what is free; the head goes, and what is behind it fits. */
    private static void headGoes(Rig rig, Consumer<JobId> goes) {
        rig.policy("gate gpu", "budget 5");
        ScriptedWorker worker = rig.worker("video");
        JobId running = rig.enqueue(job("video").gate("gpu").cost(3));
        JobId big = rig.enqueue(
                job("video").gate("gpu").cost(5).deadline(rig.time().now().plusSeconds(10)));
        JobId small = rig.enqueue(job("video").gate("gpu").cost(2));
        assertThat(worker.claim(5)).containsExactly(running);
        goes.accept(big);
        assertThat(worker.claim(5)).containsExactly(small);
    }

    @Test
    default void aLineDoesNotWaitForAHeadThatWasCancelled(Rig rig) {
        rig.policy("gate gpu", "budget 5");
        ScriptedWorker worker = rig.worker("video", "audio");
        JobId running = rig.enqueue(job("video").gate("gpu").cost(3));
        JobId big = rig.enqueue(job("video").gate("gpu").cost(5));
        JobId behind = rig.enqueue(job("audio").gate("gpu").cost(2));
        assertThat(worker.claim(5)).containsExactly(running);
        rig.store().cancel(big);
        assertThat(worker.claim(5)).containsExactly(behind);
    }

    @Test
    default void blockedLanesHideNothingBehindThem(Rig rig) {
        rig.policy("gate full:*", "concurrency 1");
        List<NewJob> jobs = new ArrayList<>();
        for (int i = 0; i < 700; i++) {
            jobs.add(job("mail").gate("full:" + i).build());
            jobs.add(job("mail").gate("full:" + i).build());
        }
        rig.store().enqueue(jobs);
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claimAll()).hasSize(700);
        JobId keyed = rig.enqueue(job("mail").gate("free"));
        JobId plain = rig.enqueue(job("mail"));
        assertThat(worker.claim(2)).containsExactlyInAnyOrder(keyed, plain);
    }

    @Test
    default void aQueueThatIsShutHidesNoOtherQueue(Rig rig) {
        rig.policy("queue video", "budget 5");
        ScriptedWorker worker = rig.worker("mail", "video");
        rig.enqueue(job("video").gate("first").cost(4));
        assertThat(worker.claim(1)).hasSize(1);
        for (int i = 0; i < 5; i++) {
            rig.enqueue(job("video").gate("next:" + i).cost(2));
        }
        JobId mail = rig.enqueue(job("mail").gate("a"));
        assertThat(worker.claim(2)).containsExactly(mail);
    }

    @Test
    default void aLineLongerThanOneLookIsWokenToItsEnd(Rig rig) {
        // The first in line at g are blocked at x; those behind them need g only, and nothing else will wake them.
        rig.policy("gate g", "concurrency 1").policy("gate x", "concurrency 1");
        ScriptedWorker worker = rig.worker("mail");
        JobId atX = rig.enqueue(job("mail").gate("x"));
        JobId atG = rig.enqueue(job("mail").gate("g"));
        assertThat(worker.claim(2)).containsExactly(atX, atG);
        for (int i = 0; i < 3; i++) {
            rig.enqueue(job("mail").gate("g", "x", "both:" + i));
        }
        List<JobId> single = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            single.add(rig.enqueue(job("mail").gate("g", "single:" + i)));
        }
        assertThat(worker.claimAll()).isEmpty();
        rig.policy("gate g", "concurrency 10");
        assertThat(worker.claim(1)).containsExactly(single.get(0));
        assertThat(worker.claim(1)).containsExactly(single.get(1));
        assertThat(worker.claim(1)).containsExactly(single.get(2));
    }

    @Test
    default void aFreedPlaceIsNotKeptForAQueueThatNobodyServes(Rig rig) {
        rig.policy("gate shared", "concurrency 1");
        ScriptedWorker audio = rig.worker("audio");
        ScriptedWorker video = rig.worker("video");
        JobId running = rig.enqueue(job("audio").gate("shared"));
        assertThat(audio.claim(1)).containsExactly(running);
        JobId orphan = rig.enqueue(job("video").gate("shared"));
        assertThat(video.claim(1)).isEmpty();
        video.leave();
        JobId next = rig.enqueue(job("audio").gate("shared"));
        assertThat(audio.claim(1)).isEmpty();
        audio.finish(running);
        // The older lane is offered the place first. It is not taken, so it goes to the next in line soon after.
        Duration pause = Objects.requireNonNull(audio.sleep(), "somebody must look again");
        assertThat(pause).isLessThanOrEqualTo(Duration.ofSeconds(1));
        rig.advance(pause);
        assertThat(audio.claim(1)).containsExactly(next);
        assertThat(rig.state(orphan)).isEqualTo(JobState.QUEUED);
    }

    @Test
    default void aFreedPlaceGoesToTheOldestLaneOverAllQueues(Rig rig) {
        rig.policy("gate shared", "concurrency 1");
        ScriptedWorker audio = rig.worker("audio");
        ScriptedWorker video = rig.worker("video");
        JobId running = rig.enqueue(job("audio").gate("shared"));
        assertThat(audio.claim(1)).containsExactly(running);
        JobId older = rig.enqueue(job("video").gate("shared"));
        assertThat(video.claim(1)).isEmpty();
        JobId younger = rig.enqueue(job("audio").gate("shared"));
        assertThat(audio.claim(1)).isEmpty();
        audio.finish(running);
        assertThat(audio.claim(1)).isEmpty();
        assertThat(video.claim(1)).containsExactly(older);
        video.finish(older);
        assertThat(audio.claim(1)).containsExactly(younger);
    }

    /** Its doorbell may be older than the cancelling, and its lane would wait for what it cost. */
    @Test
    default void aJobThatWasCancelledBeforeATurnSawItKeepsNoOtherFromItsGate(Rig rig) {
        rig.policy("gate memory", "budget 3");
        ScriptedWorker worker = rig.worker("mail");
        JobId running = rig.enqueue(job("mail").gate("memory").cost(2));
        assertThat(worker.claim(1)).containsExactly(running);
        JobId large = rig.enqueue(job("mail").gate("memory").gate("other").cost(3));
        rig.store().cancel(large);
        JobId small = rig.enqueue(job("mail").gate("memory").cost(1));
        assertThat(worker.claim(9)).containsExactly(small);
    }

    /** Of each lane only as many jobs are read as it is likely to start. */
    @Test
    default void aLargeJobDoesNotShutAQueueForOlderOnesThatWereNotRead(Rig rig) {
        rig.policy("queue mail", "budget 3");
        ScriptedWorker worker = rig.worker("mail");
        List<JobId> small = rig.enqueue(5, job("mail").gate("a").cost(1));
        JobId large = rig.enqueue(job("mail").gate("b").cost(3));
        assertThat(worker.claim(3)).containsExactlyElementsOf(small.subList(0, 3));
        worker.finishAll();
        assertThat(worker.claim(3)).containsExactlyElementsOf(small.subList(3, 5));
        worker.finishAll();
        assertThat(worker.claim(3)).containsExactly(large);
    }
}
