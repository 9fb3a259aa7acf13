package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Places at gates: never more than the limit, all of a job's gates together, the line in order, freed places refilled. */
public interface AdmissionContract extends StoreFixture {
    @Test
    default void neverMoreThanTheLimitOverAllWorkersAndQueues(Rig rig) {
        rig.policy("gate a", "concurrency 3");
        rig.enqueue(5, job("mail").gate("a"));
        rig.enqueue(5, job("video").gate("a"));
        ScriptedWorker one = rig.worker("mail", "video");
        ScriptedWorker two = rig.worker("video");
        int started = one.claim(2).size() + two.claim(5).size() + one.claim(5).size();
        assertThat(started).isEqualTo(3);
        assertThat(rig.leases("gate a")).isEqualTo(3);
    }

    @Test
    default void aBudgetCountsCostsAndEqualityIsAllowed(Rig rig) {
        rig.policy("gate gpu", "budget 5");
        JobId three = rig.enqueue(job("video").gate("gpu").cost(3));
        JobId two = rig.enqueue(job("video").gate("gpu").cost(2));
        JobId free = rig.enqueue(job("video").gate("gpu").cost(0).priority(-1));
        JobId one = rig.enqueue(job("video").gate("gpu").cost(1).priority(-2));
        ScriptedWorker worker = rig.worker("video");
        assertThat(worker.claim(9)).containsExactly(three, two, free);
        assertThat(rig.gate("gate gpu").units()).isEqualTo(5);
        worker.finish(two);
        assertThat(worker.claim(9)).containsExactly(one);
    }

    @Test
    default void queueLimitsHoldForPlainAndGatedJobsTogether(Rig rig) {
        rig.policy("queue mail", "concurrency 3; budget 4");
        JobId first = rig.enqueue(job("mail").cost(2));
        JobId second = rig.enqueue(job("mail").gate("a").cost(1));
        JobId third = rig.enqueue(job("mail").cost(2));
        JobId fourth = rig.enqueue(job("mail").gate("b").cost(1));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(9)).containsExactly(first, second);
        worker.finish(second);
        assertThat(worker.claim(9)).containsExactly(third);
        worker.finish(first);
        assertThat(worker.claim(9)).containsExactly(fourth);
    }

    @Test
    default void aJobTakesAllItsGatesOrNone(Rig rig) {
        rig.policy("gate a", "concurrency 1; rate 1/1h burst 5")
                .policy("gate b", "concurrency 1")
                .policy("queue mail", "rate 1/1h burst 9");
        JobId holder = rig.enqueue(job("other").gate("b"));
        ScriptedWorker other = rig.worker("other");
        assertThat(other.claim(1)).containsExactly(holder);
        JobId both = rig.enqueue(job("mail").gate("a", "b"));
        ScriptedWorker worker = rig.worker("mail");
        for (int look = 0; look < 5; look++) {
            assertThat(worker.claim(3)).isEmpty();
        }
        assertThat(rig.leases("gate a")).isZero();
        assertThat(rig.gate("gate a").tokens().getFirst().now()).isEqualTo(5);
        assertThat(rig.gate("queue mail").tokens().getFirst().now()).isEqualTo(9);
        assertThat(rig.status(both).leases().attempt()).isZero();
        other.finish(holder);
        assertThat(worker.claim(3)).containsExactly(both);
        assertThat(rig.leases("gate a")).isEqualTo(1);
        assertThat(rig.leases("gate b")).isEqualTo(1);
        assertThat(rig.gate("gate a").tokens().getFirst().now()).isEqualTo(4);
    }

    @Test
    default void nothingOvertakesTheLine(Rig rig) {
        rig.policy("gate a", "budget 4");
        ScriptedWorker worker = rig.worker("mail", "video");
        JobId running = rig.enqueue(job("mail").gate("a").cost(3));
        assertThat(worker.claim(1)).containsExactly(running);
        JobId first = rig.enqueue(job("mail").gate("a").cost(4));
        assertThat(worker.claim(9)).isEmpty();
        JobId small = rig.enqueue(job("video").gate("a").cost(1));
        JobId smaller = rig.enqueue(job("video").gate("a", "b").cost(1));
        assertThat(worker.claim(9)).isEmpty();
        worker.finish(running);
        assertThat(worker.claim(9)).containsExactly(first);
        worker.finish(first);
        assertThat(worker.claim(9)).containsExactly(small, smaller);
    }

    @Test
    default void anUrgentJobGoesBeforeTheLine(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        ScriptedWorker worker = rig.worker("mail", "video");
        JobId running = rig.enqueue(job("mail").gate("a"));
        worker.claim(1);
        JobId waiting = rig.enqueue(job("mail").gate("a"));
        assertThat(worker.claim(1)).isEmpty();
        JobId urgent = rig.enqueue(job("video").gate("a").priority(1));
        assertThat(worker.claim(1)).isEmpty();
        worker.finish(running);
        assertThat(worker.claim(1)).containsExactly(urgent);
        worker.finish(urgent);
        assertThat(worker.claim(1)).containsExactly(waiting);
    }

    @Test
    default void oneFreedPlaceWakesOneWaiter(Rig rig) {
        freedPlacesWakeAsManyInOrder(rig, 1);
    }

    @Test
    default void twoFreedPlacesWakeTwoWaiters(Rig rig) {
        freedPlacesWakeAsManyInOrder(rig, 2);
    }

    @Test
    default void fiveFreedPlacesWakeFiveWaiters(Rig rig) {
        freedPlacesWakeAsManyInOrder(rig, 5);
    }

    private static void freedPlacesWakeAsManyInOrder(Rig rig, int freed) {
        rig.policy("gate a", "concurrency 5");
        ScriptedWorker worker = rig.worker("mail");
        List<JobId> running = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            running.add(rig.enqueue(job("mail").gate("a", "holder:" + i)));
        }
        assertThat(worker.claim(9)).isEqualTo(running);
        List<JobId> waiting = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            waiting.add(rig.enqueue(job("mail").gate("a", "waiter:" + i)));
        }
        assertThat(worker.claim(9)).isEmpty();
        running.subList(0, freed).forEach(worker::finish);
        assertThat(worker.claim(9)).isEqualTo(waiting.subList(0, freed));
        assertThat(rig.gate("gate a").line().lanes()).isEqualTo(7 - freed);
    }

    @Test
    default void allFreedPlacesAreRefilledInOneTurn(Rig rig) {
        rig.policy("gate a", "concurrency 4");
        ScriptedWorker worker = rig.worker("mail");
        List<JobId> ids = rig.enqueue(8, job("mail").gate("a"));
        assertThat(worker.claim(9)).isEqualTo(ids.subList(0, 4));
        worker.finishAll();
        assertThat(worker.turn(9).started()).hasSize(4);
    }

    @Test
    default void keysAreIndependent(Rig rig) {
        rig.policy("gate tenant:*", "concurrency 1");
        List<JobId> a = rig.enqueue(2, job("mail").gate("tenant:a"));
        List<JobId> b = rig.enqueue(2, job("mail").gate("tenant:b"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(9)).containsExactlyInAnyOrder(a.getFirst(), b.getFirst());
        worker.finish(a.getFirst());
        assertThat(worker.claim(9)).containsExactly(a.getLast());
    }

    @Test
    default void aQueueAndAGateOfOneNameAreTwoThings(Rig rig) {
        rig.policy("queue mail", "concurrency 2").policy("gate mail", "concurrency 1");
        rig.enqueue(3, job("mail").gate("mail"));
        rig.enqueue(3, job("mail"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(9)).hasSize(2);
        assertThat(rig.leases("gate mail")).isEqualTo(1);
        assertThat(rig.leases("queue mail")).isEqualTo(2);
    }

    @Test
    default void aJobThatCanNeverFitIsRefusedWhenItIsEnqueued(Rig rig) {
        rig.policy("gate gpu", "budget 4")
                .policy("gate llm", "rate 100/1m burst 100 by-cost")
                .policy("queue q", "budget 9");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rig.enqueue(job("x").gate("gpu").cost(5)))
                .withMessageContaining("budget 4");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rig.enqueue(job("x").gate("llm").cost(101)))
                .withMessageContaining("the burst is 100");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rig.enqueue(job("q").cost(10)))
                .withMessageContaining("queue q");
        rig.enqueue(job("q").gate("gpu", "llm").cost(4));
    }

    @Test
    default void aJobThatNoLongerFitsIsParkedAndBlocksNobody(Rig rig) {
        JobId big = rig.enqueue(job("video").gate("gpu").cost(9));
        JobId small = rig.enqueue(job("video").gate("gpu").cost(2));
        JobId plainBig = rig.enqueue(job("video").cost(70));
        JobId plainSmall = rig.enqueue(job("video").cost(1));
        rig.policy("gate gpu", "budget 4").policy("queue video", "budget 50");
        ScriptedWorker worker = rig.worker("video");
        assertThat(worker.claim(9)).containsExactly(small, plainSmall);
        assertThat(rig.state(big)).isEqualTo(JobState.PARKED);
        assertThat(rig.status(big).report().detail()).contains("gate gpu").contains("costs 9 units, the budget is 4");
        assertThat(rig.state(plainBig)).isEqualTo(JobState.PARKED);
        rig.policy("gate gpu", "budget 20");
        rig.store().retry(big);
        assertThat(worker.claim(9)).containsExactly(big);
    }

    @Test
    default void aWaitingHeadThatNoLongerFitsIsParkedAndItsLineMovesOn(Rig rig) {
        rig.policy("gate gpu", "budget 10");
        ScriptedWorker worker = rig.worker("video", "audio");
        JobId running = rig.enqueue(job("video").gate("gpu").cost(8));
        JobId big = rig.enqueue(job("video").gate("gpu").cost(6));
        JobId behind = rig.enqueue(job("audio").gate("gpu").cost(1));
        assertThat(worker.claim(9)).containsExactly(running);
        rig.policy("gate gpu", "budget 5");
        worker.finish(running);
        assertThat(worker.claim(9)).containsExactly(behind);
        assertThat(rig.state(big)).isEqualTo(JobState.PARKED);
    }

    @Test
    default void weirdNamesAreOrdinaryNames(Rig rig) {
        List<String> names = List.of(
                "'; drop table headgate_job; --",
                "\"quoted\" 'name' `tick`",
                "50%_\\",
                "star*in*the middle",
                "emoji \uD83D\uDE80\u200D\uD83E\uDDD1",
                "ünïcödé ß 日本語",
                "a:b c",
                " leading and trailing ",
                "Case",
                "case",
                "n".repeat(200));
        ScriptedWorker worker = rig.worker(names.toArray(String[]::new));
        for (String name : names) {
            rig.policy("gate " + name, "concurrency 1");
            rig.enqueue(2, job(name).gate(name).type(name));
        }
        List<JobId> started = worker.claimAll();
        assertThat(started).hasSize(names.size());
        for (String name : names) {
            assertThat(rig.leases("gate " + name)).as(name).isEqualTo(1);
            assertThat(rig.count(name, JobState.RUNNING)).as(name).isEqualTo(1);
        }
        worker.finishAll();
        assertThat(worker.claimAll()).hasSize(names.size());
    }

    @Test
    default void aDenialCostsNothing(Rig rig) {
        rig.policy("gate a", "rate 1/1s burst 1");
        List<JobId> ids = rig.enqueue(2, job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(2)).containsExactly(ids.getFirst());
        for (int look = 0; look < 20; look++) {
            rig.time().advance(Duration.ofMillis(49));
            assertThat(worker.claim(2)).isEmpty();
        }
        rig.time().advance(Duration.ofMillis(20));
        assertThat(worker.claim(2)).containsExactly(ids.getLast());
        assertThat(rig.status(ids.getLast()).leases().attempt()).isEqualTo(1);
        assertThat(rig.status(ids.getLast()).leases().epoch()).isEqualTo(1);
    }
}
