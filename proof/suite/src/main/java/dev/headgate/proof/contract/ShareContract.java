package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;

import dev.headgate.explain.Explanation.GateAnswer;
import dev.headgate.explain.Explanation.SharePlace;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.job.Outcome;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A queue or gate that is shared by a key gives each key its weight of it, whatever their backlogs. */
public interface ShareContract extends StoreFixture {
    @Test
    default void tenantsOfAFairQueueTakeTurns(Rig rig) {
        rig.policy("queue q", "fair by t:*");
        List<JobId> flood = rig.enqueue(6, job("q").gate("t:flood"));
        List<JobId> late = rig.enqueue(3, job("q").gate("t:late"));
        assertThat(rig.worker("q").claim(6))
                .containsExactly(flood.get(0), late.get(0), flood.get(1), late.get(1), flood.get(2), late.get(2));
    }

    @Test
    default void weightsDivideAQueue(Rig rig) {
        rig.policy("queue q", "fair by t:*").policy("gate t:heavy", "weight 3");
        rig.enqueue(40, job("q").gate("t:light"));
        rig.enqueue(40, job("q").gate("t:heavy"));
        assertThat(startsByGate(rig, oneByOne(rig, rig.worker("q"), 40)))
                .isEqualTo(Map.of("t:heavy", 30, "t:light", 10));
    }

    @Test
    default void aThousandLanesGetNoMoreThanOne(Rig rig) {
        rig.policy("queue q", "fair by t:*");
        rig.enqueue(70, job("q").gate("t:one"));
        for (int i = 0; i < 1_000; i++) {
            rig.enqueue(job("q").gate("t:many").gate("page " + i));
        }
        ScriptedWorker worker = rig.worker("q");
        assertThat(startsByGate(rig, worker.claim(100)))
                .containsEntry("t:many", 50)
                .containsEntry("t:one", 50);
        assertThat(startsByGate(rig, oneByOne(rig, worker, 20)))
                .containsEntry("t:many", 10)
                .containsEntry("t:one", 10);
        assertThat(worker.claim(2_000)).hasSize(950);
    }

    @Test
    default void oneWhoRingsOftenKeepsNobodyOutside(Rig rig) {
        rig.policy("queue q", "fair by t:*");
        for (int i = 0; i < 1_100; i++) {
            rig.enqueue(job("q").gate("t:flood"));
        }
        JobId late = rig.enqueue(job("q").gate("t:late"));
        assertThat(rig.worker("q").claim(4)).contains(late);
    }

    @Test
    default void aLaneThatAnotherWorkerPullsIsStillKnownToHaveBeenPassedBy(Rig rig) {
        rig.policy("queue video", "fair by t:*")
                .policy("gate a", "concurrency 1")
                .policy("gate b", "concurrency 1");
        ScriptedWorker mail = rig.worker("mail");
        ScriptedWorker video = rig.worker("video");
        JobId holder = rig.enqueue(job("mail").gate("a"));
        assertThat(mail.claim(1)).containsExactly(holder);
        JobId both = rig.enqueue(job("video").gate("a").gate("b"));
        assertThat(video.claim(1)).isEmpty();
        assertThat(rig.worker("video").claim(1)).isEmpty();
        JobId other = rig.enqueue(job("video").gate("b"));
        assertThat(video.claim(1)).containsExactly(other);
        mail.finish(holder);
        mail.claim(1);
        String lane = rig.status(both).spec().lane().id();
        assertThat(video.claim(1)).isEmpty();
        assertThat(Objects.requireNonNull(
                                rig.store().backend().read(tx -> tx.lanes().find(lane)))
                        .passes())
                .as("once at gate a, once at gate b")
                .isEqualTo(2);
    }

    @Test
    default void moreTenantsThanOneLookCanSee(Rig rig) {
        rig.policy("queue q", "fair by t:*");
        for (int round = 0; round < 2; round++) {
            for (int tenant = 0; tenant < 150; tenant++) {
                rig.enqueue(job("q").gate("t:" + tenant));
            }
        }
        ScriptedWorker worker = rig.worker("q");
        Map<String, Integer> first = startsByGate(rig, worker.claim(150));
        assertThat(first).hasSize(150);
        assertThat(worker.claimAll()).hasSize(150);
    }

    @Test
    default void jobsWithoutAKeyShareAsOne(Rig rig) {
        rig.policy("queue q", "fair by t:*");
        rig.enqueue(10, job("q"));
        rig.enqueue(10, job("q").gate("other"));
        rig.enqueue(10, job("q").gate("t:1"));
        Map<String, Integer> starts = startsByGate(rig, oneByOne(rig, rig.worker("q"), 10));
        assertThat(starts).containsEntry("t:1", 5);
    }

    @Test
    default void priorityDecidesInsideAShareOnly(Rig rig) {
        rig.policy("queue q", "fair by t:*");
        JobId plain = rig.enqueue(job("q").gate("t:1"));
        JobId other = rig.enqueue(job("q").gate("t:2"));
        JobId lane = rig.enqueue(job("q").gate("t:1").gate("x"));
        JobId urgent = rig.enqueue(job("q").gate("t:1").gate("y").priority(9));
        ScriptedWorker worker = rig.worker("q");
        assertThat(worker.claim(4)).containsExactly(urgent, other, plain, lane);
    }

    @Test
    default void theLineOfASharedGateIsServedInTurns(Rig rig) {
        rig.policy("gate api", "concurrency 1; fair by t:*");
        ScriptedWorker worker = rig.worker("q");
        rig.enqueue(6, job("q").gate("api").gate("t:flood"));
        rig.enqueue(2, job("q").gate("api").gate("t:b"));
        rig.enqueue(2, job("q").gate("api").gate("t:c"));
        assertThat(gatesOf(rig, throughGate(worker, 6)))
                .containsExactly("t:flood", "t:b", "t:c", "t:flood", "t:b", "t:c");
        assertThat(gatesOf(rig, throughGate(worker, 4))).containsOnly("t:flood");
    }

    /** Nothing of either stands in line: what a share has had counts all the same. */
    @Test
    default void aSharedGateKnowsWhatNewLanesHaveHadOfIt(Rig rig) {
        rig.policy("gate g", "concurrency 1; fair by t:*");
        ScriptedWorker worker = rig.worker("q");
        for (int i = 0; i < 3; i++) {
            JobId had = rig.enqueue(job("q").gate("g").gate("t:one"));
            assertThat(worker.claim(1)).containsExactly(had);
            worker.finish(had);
        }
        JobId one = rig.enqueue(job("q").gate("g").gate("t:one"));
        JobId two = rig.enqueue(job("q").gate("g").gate("t:two"));
        assertThat(worker.claim(2)).containsExactly(two);
        worker.finish(two);
        assertThat(worker.claim(2)).containsExactly(one);
    }

    @Test
    default void aStartThatReachedNoHandlerCostsItsShareNothing(Rig rig) {
        rig.policy("queue q", "fair by t:*");
        ScriptedWorker worker = rig.worker("q");
        JobId one = rig.enqueue(job("q").gate("t:one"));
        rig.enqueue(job("q").gate("t:two"));
        assertThat(worker.claim(1)).containsExactly(one);
        worker.bring(one, new Outcome.Late(Duration.ofMillis(80)));
        assertThat(worker.claim(1)).containsExactly(one);
    }

    @Test
    default void manyLanesInLineGetNoMoreThanOne(Rig rig) {
        rig.policy("gate api", "concurrency 4; fair by t:*").policy("gate t:heavy", "weight 2");
        ScriptedWorker worker = rig.worker("q");
        for (int i = 0; i < 200; i++) {
            rig.enqueue(job("q").gate("api").gate("t:many").gate("page " + i));
        }
        rig.enqueue(50, job("q").gate("api").gate("t:one"));
        rig.enqueue(50, job("q").gate("api").gate("t:heavy"));
        List<JobId> started = new ArrayList<>();
        while (started.size() < 80) {
            worker.turn(0, worker.ended());
            started.addAll(worker.claim(300));
        }
        Map<String, Integer> starts = startsByGate(rig, started);
        assertThat(starts.get("t:one")).isBetween(18, 22);
        assertThat(starts.get("t:many")).isBetween(18, 22);
        assertThat(starts.get("t:heavy")).isBetween(38, 42);
    }

    @Test
    default void aRateIsSharedToo(Rig rig) {
        rig.policy("gate api", "rate 1/1s burst 1; fair by t:*");
        ScriptedWorker worker = rig.worker("q");
        rig.enqueue(20, job("q").gate("api").gate("t:flood"));
        rig.enqueue(5, job("q").gate("api").gate("t:late"));
        List<JobId> started = new ArrayList<>();
        for (int second = 0; second < 10; second++) {
            started.addAll(worker.claim(5));
            rig.advance(Duration.ofSeconds(1));
        }
        assertThat(startsByGate(rig, started)).isEqualTo(Map.of("t:flood", 5, "t:late", 5));
    }

    @Test
    default void costDividesIfAskedFor(Rig rig) {
        rig.policy("queue q", "fair by t:* by-cost");
        rig.enqueue(50, job("q").gate("t:dear").cost(9));
        rig.enqueue(50, job("q").gate("t:cheap").cost(1));
        assertThat(startsByGate(rig, oneByOne(rig, rig.worker("q"), 20))).isEqualTo(Map.of("t:dear", 2, "t:cheap", 18));
    }

    @Test
    default void measuredTimeDividesIfAskedFor(Rig rig) {
        rig.policy("queue q", "fair by t:* by-time");
        rig.enqueue(50, job("q").gate("t:slow"));
        rig.enqueue(50, job("q").gate("t:quick"));
        ScriptedWorker worker = rig.worker("q");
        Map<String, Integer> starts = new TreeMap<>();
        for (int i = 0; i < 30; i++) {
            JobId id = worker.claim(1).getFirst();
            String tenant = rig.status(id).gates().getFirst();
            starts.merge(tenant, 1, Integer::sum);
            rig.advance(tenant.equals("t:slow") ? Duration.ofSeconds(9) : Duration.ofSeconds(1));
            worker.finish(id);
        }
        assertThat(starts.get("t:slow")).isBetween(2, 4);
        assertThat(starts.get("t:quick")).isBetween(26, 28);
    }

    @Test
    default void aTenantThatComesBackHasNeitherCreditNorDebt(Rig rig) {
        rig.policy("queue q", "fair by t:*");
        ScriptedWorker worker = rig.worker("q");
        rig.enqueue(30, job("q").gate("t:a"));
        oneByOne(rig, worker, 30);
        rig.enqueue(30, job("q").gate("t:b"));
        oneByOne(rig, worker, 20);
        rig.enqueue(30, job("q").gate("t:a"));
        assertThat(startsByGate(rig, oneByOne(rig, worker, 10)).get("t:a")).isBetween(5, 6);
    }

    @Test
    default void fairnessCanBeSwitchedOnAndOffOverWaitingLanes(Rig rig) {
        rig.policy("gate api", "concurrency 1");
        ScriptedWorker worker = rig.worker("q");
        rig.enqueue(8, job("q").gate("api").gate("t:old"));
        rig.enqueue(8, job("q").gate("api").gate("t:new"));
        rig.enqueue(8, job("other").gate("t:old"));
        rig.enqueue(8, job("other").gate("t:new"));
        assertThat(gatesOf(rig, throughGate(worker, 2))).containsExactly("t:old", "t:old");
        rig.policy("gate api", "concurrency 1; fair by t:*").policy("queue other", "fair by t:*");
        assertThat(startsByGate(rig, throughGate(worker, 4))).isEqualTo(Map.of("t:old", 2, "t:new", 2));
        assertThat(startsByGate(rig, oneByOne(rig, rig.worker("other"), 4))).isEqualTo(Map.of("t:old", 2, "t:new", 2));
        rig.policy("gate api", "concurrency 1").policy("queue other", "");
        assertThat(gatesOf(rig, throughGate(worker, 4))).containsExactly("t:old", "t:old", "t:old", "t:old");
        assertThat(throughGate(worker, 6)).hasSize(6);
        assertThat(rig.worker("other").claimAll()).hasSize(12);
    }

    @Test
    default void aLaneWokenForAFairQueueThatSomebodyElseServesIsNotLost(Rig rig) {
        rig.policy("gate api", "concurrency 1").policy("queue fair", "fair by t:*");
        ScriptedWorker other = rig.worker("other");
        ScriptedWorker fair = rig.worker("fair");
        JobId first = rig.enqueue(job("other").gate("api"));
        assertThat(other.claim(1)).containsExactly(first);
        JobId waiting = rig.enqueue(job("fair").gate("api").gate("t:1"));
        assertThat(fair.claim(1)).isEmpty();
        other.turn(1, other.ended());
        assertThat(fair.claim(1)).containsExactly(waiting);
    }

    @Test
    default void aSharedGateDoesNotLetOthersOvertakeByAge(Rig rig) {
        rig.policy("gate api", "concurrency 1; fair by t:*");
        ScriptedWorker worker = rig.worker("q");
        JobId running = rig.enqueue(job("q").gate("api").gate("t:a"));
        assertThat(worker.claim(1)).containsExactly(running);
        JobId waitingA = rig.enqueue(job("q").gate("api").gate("t:a"));
        JobId waitingB = rig.enqueue(job("q").gate("api").gate("t:b"));
        assertThat(worker.claim(2)).isEmpty();
        worker.finish(running);
        assertThat(worker.claim(1)).containsExactly(waitingB);
        worker.finish(waitingB);
        assertThat(worker.claim(1)).containsExactly(waitingA);
    }

    @Test
    default void anExplanationNamesTheShare(Rig rig) {
        rig.policy("gate api", "concurrency 1; fair by t:*").policy("gate t:b", "weight 2");
        ScriptedWorker worker = rig.worker("q");
        rig.enqueue(job("q").gate("api").gate("t:a"));
        worker.claim(1);
        rig.enqueue(job("q").gate("api").gate("t:a").gate("x"));
        JobId last = rig.enqueue(job("q").gate("api").gate("t:a").gate("y"));
        rig.enqueue(job("q").gate("api").gate("t:b"));
        assertThat(worker.claim(4)).isEmpty();
        GateAnswer api = rig.explain(last).place().gates().stream()
                .filter(gate -> gate.gate().name().equals("api"))
                .findFirst()
                .orElseThrow();
        assertThat(api.line().share()).isEqualTo(new SharePlace("t:a", 1, 1));
        assertThat(api.line().lanesBefore()).isEqualTo(1);
        assertThat(rig.explain(last).summary())
                .contains("1 lanes before it in line of share t:a, 1 other shares before it");
    }

    /** Starts one job after the other, each ending before the next starts. */
    private static List<JobId> oneByOne(Rig rig, ScriptedWorker worker, int starts) {
        List<JobId> started = new ArrayList<>();
        for (int i = 0; i < starts; i++) {
            List<JobId> next = worker.claim(1);
            assertThat(next).as("start %d", i + 1).hasSize(1);
            started.addAll(next);
            assertThat(rig.state(next.getFirst())).isEqualTo(JobState.RUNNING);
            worker.finish(next.getFirst());
        }
        return started;
    }

    /** The same with slots to spare: the gate lets one pass, and all others stand in its line. */
    private static List<JobId> throughGate(ScriptedWorker worker, int starts) {
        List<JobId> started = new ArrayList<>();
        for (int i = 0; i < starts; i++) {
            List<JobId> next = worker.claim(10);
            assertThat(next).as("start %d", i + 1).hasSize(1);
            started.addAll(next);
            worker.finish(next.getFirst());
        }
        return started;
    }

    /** The tenant of each job: the gate that begins with t:. */
    private static List<String> gatesOf(Rig rig, List<JobId> jobs) {
        return jobs.stream()
                .map(id -> rig.status(id).gates().stream()
                        .filter(gate -> gate.startsWith("t:"))
                        .findFirst()
                        .orElse("none"))
                .toList();
    }

    private static Map<String, Integer> startsByGate(Rig rig, List<JobId> jobs) {
        Map<String, Integer> starts = new TreeMap<>();
        gatesOf(rig, jobs).forEach(gate -> starts.merge(gate, 1, Integer::sum));
        return starts;
    }
}
