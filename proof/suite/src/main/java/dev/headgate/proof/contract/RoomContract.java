package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.headgate.internal.resource.PassedOver;
import dev.headgate.internal.resource.Profile;
import dev.headgate.internal.resource.ProfileLearner.Declared;
import dev.headgate.internal.resource.ResourceStore;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.resource.Capacity;
import dev.headgate.resource.Headroom;
import dev.headgate.resource.Needs;
import dev.headgate.status.Overview.WorkerView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a worker has no room for is left as it is, for others. */
public interface RoomContract extends StoreFixture {
    /** A worker with so many desks; heavy jobs need three of them, light ones one. */
    private static ScriptedWorker desks(Rig rig, int desks, String... queues) {
        return rig.worker(queues)
                .room(
                        Headroom.system().amount("desk", desks),
                        Map.of("heavy", Needs.of("desk", 3), "light", Needs.of("desk", 1)));
    }

    @Test
    default void whatDoesNotFitIsNotClaimedAndAnotherWorkerTakesIt(Rig rig) {
        ScriptedWorker small = desks(rig, 2, "q");
        ScriptedWorker large = desks(rig, 3, "q");
        JobId plain = rig.enqueue(job("q").type("heavy"));
        JobId gated = rig.enqueue(job("q").type("heavy").gate("g"));
        assertThat(small.claim(5)).isEmpty();
        assertThat(small.passedOver()).isEqualTo(2);
        for (JobId left : List.of(plain, gated)) {
            assertThat(rig.status(left).state()).isEqualTo(JobState.QUEUED);
            assertThat(rig.status(left).leases().attempt()).isZero();
        }
        assertThat(rig.leases("gate g")).isZero();
        assertThat(large.claim(5)).containsExactly(plain);
        large.finish(plain);
        assertThat(large.claim(5)).containsExactly(gated);
    }

    @Test
    default void aLookThatOnlyPassesOverAsksForNoOther(Rig rig) {
        ScriptedWorker small = desks(rig, 2, "q");
        rig.enqueue(3, job("q").type("heavy"));
        rig.enqueue(job("q").type("heavy").gate("g"));
        assertThat(small.claim(5)).isEmpty();
        assertThat(small.turn(5).nextWake()).isNull();
        assertThat(small.turn(5).wakes()).as("others know already").isEmpty();
    }

    @Test
    default void othersAreToldOnceOfWhatDoesNotFitHere(Rig rig) {
        ScriptedWorker small = desks(rig, 2, "q");
        rig.enqueue(job("q").type("heavy"));
        assertThat(small.turn(5).wakes()).isNotEmpty();
        assertThat(small.turn(5).wakes()).isEmpty();
    }

    @Test
    default void lightJobsBehindHeavyOnesStart(Rig rig) {
        ScriptedWorker small = desks(rig, 2, "q");
        rig.enqueue(70, job("q").type("heavy"));
        List<JobId> light = rig.enqueue(2, job("q").type("light"));
        assertThat(small.claim(2)).containsExactlyElementsOf(light);
        assertThat(small.claim(2)).isEmpty();
    }

    @Test
    default void lanesThatDoNotFitHideNoOthers(Rig rig) {
        ScriptedWorker small = desks(rig, 2, "q");
        for (int i = 0; i < 70; i++) {
            rig.enqueue(job("q").type("heavy").gate("tenant:" + i));
        }
        JobId light = rig.enqueue(job("q").type("light").gate("tenant:light"));
        assertThat(small.claim(2)).containsExactly(light);
    }

    @Test
    default void aGatesLineDoesNotWaitForAHeadThatFitsNobody(Rig rig) {
        rig.policy("gate api", "concurrency 1");
        ScriptedWorker small = desks(rig, 2, "q");
        JobId first = rig.enqueue(job("q").type("light").gate("api"));
        assertThat(small.claim(2)).containsExactly(first);
        rig.enqueue(job("q").type("heavy").gate("api").gate("a"));
        JobId light = rig.enqueue(job("q").type("light").gate("api").gate("b"));
        assertThat(small.claim(2)).isEmpty();
        small.finish(first);
        assertThat(small.claim(1)).containsExactly(light);
    }

    @Test
    default void roomIsKeptForAHeavyJobThatWasPassedOverForLong(Rig rig) {
        ScriptedWorker worker = desks(rig, 3, "q");
        JobId first = rig.enqueue(job("q").type("light"));
        assertThat(worker.claim(3)).containsExactly(first);
        JobId heavy = rig.enqueue(job("q").type("heavy"));
        List<JobId> light = rig.enqueue(20, job("q").type("light"));
        assertThat(worker.claim(2)).containsExactly(light.get(0), light.get(1));
        // Each that ends is followed by the next light one, so three desks are never free at once.
        Duration patience = Duration.ofNanos(PassedOver.PATIENCE_NANOS);
        for (int seconds = 0; seconds < patience.toSeconds(); seconds++) {
            worker.finish(worker.holding().getFirst());
            assertThat(worker.claim(3)).hasSize(1);
            rig.advance(Duration.ofSeconds(1));
        }
        while (!worker.holding().isEmpty()) {
            worker.finish(worker.holding().getFirst());
            if (!worker.holding().isEmpty()) {
                assertThat(worker.claim(3)).as("its desks are kept").isEmpty();
            }
        }
        assertThat(worker.claim(3)).containsExactly(heavy);
    }

    @Test
    default void aJobThatNeverFitsHereKeepsNobodyOut(Rig rig) {
        ScriptedWorker small = desks(rig, 2, "q");
        rig.enqueue(job("q").type("heavy"));
        List<JobId> light = rig.enqueue(10, job("q").type("light"));
        for (JobId next : light) {
            assertThat(small.claim(1)).containsExactly(next);
            small.finish(next);
            rig.advance(Duration.ofSeconds(2));
        }
    }

    @Test
    default void explainTellsWhoHasHowMuchRoom(Rig rig) {
        ScriptedWorker worker = desks(rig, 4, "q");
        JobId light = rig.enqueue(job("q").type("light"));
        JobId heavy = rig.enqueue(job("q").type("heavy"));
        JobId third = rig.enqueue(job("q").type("heavy"));
        assertThat(worker.claim(3)).containsExactly(light, heavy);
        worker.tellRoom();
        assertThat(rig.explain(third).summary())
                .contains("does not fit now: needs desk 3; worker worker-1 (worker-1) has 0 of 4 desk free");
        assertThat(rig.store().overview(1).workers().getFirst().room().level("desk"))
                .isEqualTo(new Capacity.Level(4, 0));
    }

    @Test
    default void theSlotsOfAWorkerAreThoseThatItToldLast(Rig rig) {
        ScriptedWorker moving = rig.worker("q");
        ScriptedWorker other = rig.worker("q");
        ResourceStore store = new ResourceStore(rig.store().backend());
        store.publish(moving.id(), 7, "desk=4/4");
        store.publish("gone", 9, "");
        assertThat(rig.store().overview(1).workers())
                .extracting(WorkerView::id, WorkerView::slots)
                .containsExactlyInAnyOrder(tuple(moving.id(), 7), tuple(other.id(), 1));
    }

    @Test
    default void explainDoesNotCallAJobTooBigWhileAGaugeIsSilent(Rig rig) {
        Headroom silent = Headroom.system().gauge("desk", () -> {
            throw new IllegalStateException("nobody counts them");
        });
        rig.worker("q").room(silent, Map.of("heavy", Needs.of("desk", 3))).tellRoom();
        JobId heavy = rig.enqueue(job("q").type("heavy"));
        assertThat(rig.explain(heavy).summary())
                .contains("does not fit now: needs desk 3", "has no desk, or its gauge does not answer")
                .doesNotContain("too big");
    }

    /** What a gauge has shown so far is not all there can be, and what lives in the heap now may go. */
    @Test
    default void explainCallsNothingTooBigThatMayFitLater(Rig rig) {
        long most = Runtime.getRuntime().maxMemory();
        Map<String, Needs> needs = Map.of(
                "heavy",
                Needs.of("desk", 3),
                "nearly",
                Needs.memory(most - most / 8 - 1),
                "over",
                Needs.memory(most + 1));
        rig.worker("q").room(Headroom.system().gauge("desk", () -> 2), needs).tellRoom();
        JobId heavy = rig.enqueue(job("q").type("heavy"));
        assertThat(rig.explain(heavy).summary())
                .contains("does not fit now: needs desk 3", "has 2 of 2 desk free")
                .doesNotContain("too big");
        JobId nearly = rig.enqueue(job("q").type("nearly"));
        assertThat(rig.explain(nearly).summary()).contains("does not fit now").doesNotContain("too big");
        JobId over = rig.enqueue(job("q").type("over"));
        assertThat(rig.explain(over).summary()).contains("too big for every known worker");
    }

    @Test
    default void explainTellsOfAJobThatIsTooBigForAll(Rig rig) {
        ScriptedWorker one = desks(rig, 2, "q");
        desks(rig, 1, "q");
        JobId heavy = rig.enqueue(job("q").type("heavy"));
        assertThat(one.claim(1)).isEmpty();
        assertThat(rig.explain(heavy).summary())
                .contains("too big for every known worker: needs desk 3", "and the other 1 have no room either");
        rig.worker("q");
        assertThat(rig.explain(heavy).summary())
                .as("a worker that does not mind takes anything")
                .contains("waiting for a free worker slot");
    }

    @Test
    default void aWorkerWithLittleTimeLeftStartsOnlyWhatItCanFinish(Rig rig) {
        Profile quick = new Profile();
        Profile slow = new Profile();
        for (int i = 0; i < Profile.SAMPLES_MIN; i++) {
            quick.took(1_000_000);
            slow.took(60_000_000);
        }
        ResourceStore rooms = new ResourceStore(rig.store().backend());
        assertThat(rooms.learn(Map.of("quick", quick, "slow", slow))).hasSize(2);
        ScriptedWorker worker = rig.worker("q").until(Duration.ofSeconds(50));
        worker.learn();
        rig.enqueue(job("q").type("slow"));
        JobId quickJob = rig.enqueue(job("q").type("quick"));
        JobId unknown = rig.enqueue(job("q").type("unknown"));
        assertThat(worker.claim(5)).containsExactly(quickJob, unknown);
        worker.finishAll();
        rig.advance(Duration.ofSeconds(46));
        rig.enqueue(job("q").type("unknown"));
        JobId another = rig.enqueue(job("q").type("quick"));
        assertThat(worker.claim(5)).containsExactly(another);
        rig.advance(Duration.ofSeconds(4));
        rig.enqueue(job("q").type("quick"));
        assertThat(worker.claim(5)).isEmpty();
    }

    /** Otherwise it would never have run anywhere, and would stay unknown. */
    @Test
    default void aWorkerWithVeryLittleTimeStartsWhatHasNeverRun(Rig rig) {
        ScriptedWorker worker = rig.worker("q").until(Duration.ofSeconds(4));
        JobId first = rig.enqueue(job("q").type("unknown"));
        assertThat(worker.claim(1)).containsExactly(first);
        worker.finishAll();
        rig.advance(Duration.ofMillis(2_001));
        JobId second = rig.enqueue(job("q").type("new"));
        assertThat(worker.claim(1)).as("half of its time is over").isEmpty();
        worker.tellRoom();
        assertThat(rig.explain(second).summary()).contains("and it takes 2s");
    }

    @Test
    default void profilesOfManyWorkersAddUp(Rig rig) {
        ResourceStore rooms = new ResourceStore(rig.store().backend());
        for (int worker = 0; worker < 3; worker++) {
            Profile profile = new Profile();
            profile.took(1_000);
            profile.took(2_000);
            profile.used(1 << 20);
            rooms.learn(Map.of("a", profile));
        }
        rooms.declare(Map.of("a", new Declared(Needs.memory(7), 5L)));
        Profile all = Objects.requireNonNull(rooms.profiles().get("a"));
        assertThat(all.runs()).isEqualTo(6);
        assertThat(all.micros()).isBetween(2_000L, 2_250L);
        assertThat(rooms.profiles()).containsOnlyKeys("a");
    }
}
