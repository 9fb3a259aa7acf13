package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.headgate.internal.job.JobStore;
import dev.headgate.internal.limiter.PermitStore;
import dev.headgate.internal.policy.PolicyRequest;
import dev.headgate.job.JobId;
import dev.headgate.job.Outcome;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Pause;
import dev.headgate.policy.PolicyEdit;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.spi.GateRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A key seen once leaves nothing behind once its limits remember nothing; what says anything stays. */
public interface PruneGatesContract extends StoreFixture {
    private static List<String> rows(Rig rig) {
        return rig.store().backend().read(tx -> tx.gates().list(null, 10_000)).stream()
                .map(GateRow::key)
                .map(GateKey::text)
                .toList();
    }

    private static void runOne(Rig rig, ScriptedWorker worker, String gate) {
        JobId id = rig.enqueue(job("q").gate(gate));
        assertThat(worker.claim(1)).containsExactly(id);
        worker.finish(id);
    }

    @Test
    default void aKeySeenOnceLeavesNothingBehind(Rig rig) {
        rig.policy("gate tenant:*", "concurrency 2; rate 10/1s burst 10; window 100/1m; quota 50/hour UTC");
        ScriptedWorker worker = rig.worker("q");
        for (int i = 0; i < 2_500; i++) {
            rig.enqueue(job("q").gate("tenant:" + i));
        }
        List<JobId> started;
        do {
            started = worker.claim(500);
            worker.finishAll();
        } while (!started.isEmpty());
        assertThat(rows(rig)).hasSize(2_500);
        assertThat(rig.store().pruneGates()).as("just used").isZero();
        rig.advance(Duration.ofHours(3));
        runOne(rig, worker, "tenant:7");
        assertThat(rig.store().pruneGates()).isEqualTo(2_499);
        assertThat(rows(rig)).containsExactly("gate:tenant:7");
        runOne(rig, worker, "tenant:8");
        rig.advance(Duration.ofHours(3));
        assertThat(rig.store().pruneGates()).isEqualTo(2);
        assertThat(rows(rig)).isEmpty();
    }

    @Test
    default void aBucketStaysUntilItIsFull(Rig rig) {
        staysUntil("rate 1/1d burst 1", 24, rig);
    }

    @Test
    default void aWindowStaysUntilItIsOver(Rig rig) {
        staysUntil("window 1/1d", 24, rig);
    }

    @Test
    default void aDistanceStaysUntilItIsOver(Rig rig) {
        staysUntil("spaced 1/1d", 24, rig);
    }

    @Test
    default void aDelayStaysUntilItIsOver(Rig rig) {
        staysUntil("delay 1d", 24, rig);
    }

    @Test
    default void aQuotaStaysUntilItsPeriodIsOver(Rig rig) {
        staysUntil("quota 1/day UTC", 24, rig);
    }

    @Test
    default void aBucketByCostStaysUntilItIsFull(Rig rig) {
        staysUntil("rate 2/2d burst 2 by-cost", 48, rig);
    }

    private static void staysUntil(String limits, int hours, Rig rig) {
        rig.policy("gate tenant:*", limits + " margin none");
        ScriptedWorker worker = rig.worker("q");
        JobId first = rig.enqueue(job("q").gate("tenant:a", 2).cost(2));
        assertThat(worker.claim(1)).containsExactly(first);
        worker.finish(first);
        JobId second = rig.enqueue(job("other").gate("tenant:a", 2).cost(2));
        ScriptedWorker other = rig.worker("other");
        rig.advance(Duration.ofHours(hours / 2 - 1));
        assertThat(rig.store().pruneGates()).isZero();
        assertThat(other.claim(1)).as("spent").isEmpty();
        rig.store().cancel(second);
        rig.advance(Duration.ofHours(hours / 2));
        assertThat(rig.store().pruneGates()).as("an hour early").isZero();
        rig.advance(Duration.ofHours(2));
        assertThat(other.claim(1)).as("nothing stands in line any more").isEmpty();
        assertThat(rig.store().pruneGates()).as("an hour after it came back").isEqualTo(1);
        assertThat(rows(rig)).isEmpty();
        JobId third = rig.enqueue(job("q").gate("tenant:a", 2).cost(2));
        JobId fourth = rig.enqueue(job("q").gate("tenant:a", 2).cost(2));
        assertThat(worker.claim(2)).as("full, and no fuller").containsExactly(third);
        assertThat(rig.store().cancel(fourth)).isNotNull();
    }

    @Test
    default void whatIsInUseStays(Rig rig) {
        rig.policy("gate tenant:*", "concurrency 1");
        ScriptedWorker worker = rig.worker("q");
        JobId running = rig.enqueue(job("q").gate("tenant:a"));
        JobId waiting = rig.enqueue(job("q").gate("tenant:a"));
        assertThat(worker.claim(2)).containsExactly(running);
        rig.advance(Duration.ofDays(30));
        assertThat(rig.store().pruneGates()).isZero();
        worker.finish(running);
        assertThat(worker.claim(2)).containsExactly(waiting);
        worker.finishAll();
        rig.advance(Duration.ofHours(2));
        assertThat(rig.store().pruneGates()).isEqualTo(1);
    }

    @Test
    default void whereALineStandsTheRowStays(Rig rig) {
        rig.policy("gate tenant:*", "concurrency 1").policy("gate api", "concurrency 1");
        ScriptedWorker worker = rig.worker("q");
        rig.store().policyStore().pause(Pause.parse("gate:tenant:a"), "ops", "");
        JobId waiting = rig.enqueue(job("q").gate("tenant:a"));
        assertThat(worker.claim(1)).isEmpty();
        rig.advance(Duration.ofDays(30));
        assertThat(rig.store().pruneGates()).isZero();
        rig.store().policyStore().resume(Pause.parse("gate:tenant:a"));
        assertThat(rig.store().pruneGates()).as("the line still stands").isZero();
        assertThat(worker.claim(1)).containsExactly(waiting);
    }

    @Test
    default void aHoldStaysUntilItIsOver(Rig rig) {
        ScriptedWorker worker = rig.worker("q");
        rig.store().hold(GateKey.gate("tenant:a"), Duration.ofDays(20), "quota exceeded");
        rig.advance(Duration.ofDays(19));
        assertThat(rig.store().pruneGates()).isZero();
        JobId held = rig.enqueue(job("q").gate("tenant:a"));
        assertThat(worker.claim(1)).isEmpty();
        rig.store().cancel(held);
        rig.advance(Duration.ofDays(1).plusHours(2));
        assertThat(worker.claim(1)).as("nothing stands in line any more").isEmpty();
        assertThat(rig.store().pruneGates()).isEqualTo(1);
        runOne(rig, worker, "tenant:a");
    }

    @Test
    default void rejectionsInARowAreRemembered(Rig rig) {
        rig.policy("gate tenant:*", "concurrency 5; back-off 1m x10 max 5d");
        ScriptedWorker worker = rig.worker("q");
        JobId first = rig.enqueue(job("q").gate("tenant:a").attempts(1));
        worker.claim(1);
        worker.bring(first, new Outcome.PushedBack("tenant:a", null, 0, "429"));
        rig.advance(Duration.ofDays(1));
        assertThat(rig.store().pruneGates()).as("it waits for a probe").isZero();
        rig.advance(Duration.ofDays(7));
        assertThat(rig.store().pruneGates()).as("a week after its end").isEqualTo(1);
    }

    @Test
    default void whatAnAdaptiveLimitHasLearntIsKeptForAWeek(Rig rig) {
        rig.policy("gate tenant:*", "adaptive 1..4");
        ScriptedWorker worker = rig.worker("q");
        for (int i = 0; i < 4; i++) {
            runOne(rig, worker, "tenant:a");
        }
        rig.advance(Duration.ofDays(6));
        assertThat(rig.store().pruneGates()).isZero();
        rig.enqueue(3, job("q").gate("tenant:a"));
        int learnt = worker.claim(9).size();
        assertThat(learnt).isGreaterThan(1);
        worker.finishAll();
        worker.claim(9);
        worker.finishAll();
        rig.advance(Duration.ofDays(8));
        rig.enqueue(3, job("q").gate("tenant:a"));
        assertThat(worker.claim(9))
                .as("the same whether its row is there or not")
                .hasSize(1);
    }

    @Test
    default void placesOfALimiterThatDiedGoWithTheRow(Rig rig) {
        rig.policy("gate tenant:*", "concurrency 1");
        PermitStore permits = new PermitStore(rig.store().backend());
        permits.ask(List.of(GateKey.gate("tenant:a")), 1, 77, Duration.ofHours(5));
        rig.advance(Duration.ofHours(4));
        assertThat(rig.store().pruneGates()).isZero();
        rig.advance(Duration.ofHours(3));
        assertThat(rig.store().pruneGates()).isEqualTo(1);
    }

    @Test
    default void aLimitThatComesBackAfterAnOverrideIsNotForgotten(Rig rig) {
        rig.policy("gate tenant:*", "window 1/20h margin none");
        ScriptedWorker worker = rig.worker("q");
        runOne(rig, worker, "tenant:a");
        rig.store()
                .changePolicies(PolicyRequest.of(
                        Rig.key("gate tenant:*"),
                        new PolicyEdit.OverrideFor(GatePolicy.parse("concurrency 5"), Duration.ofHours(10)),
                        "ops",
                        ""));
        rig.advance(Duration.ofHours(9));
        assertThat(rig.store().pruneGates()).isZero();
        rig.advance(Duration.ofHours(2));
        rig.enqueue(job("q").gate("tenant:a"));
        assertThat(worker.claim(1)).isEmpty();
    }

    @Test
    default void aGateWhoseJournalIsKeptStays(Rig rig) {
        rig.policy("gate tenant:*", "concurrency 5; journal 10d");
        ScriptedWorker worker = rig.worker("q");
        runOne(rig, worker, "tenant:a");
        rig.advance(Duration.ofDays(9));
        rig.store().pruneJournal();
        assertThat(rig.store().pruneGates()).isZero();
        rig.advance(Duration.ofDays(2));
        assertThat(rig.store().pruneJournal()).isPositive();
        assertThat(rig.store().pruneGates()).isEqualTo(1);
    }

    @Test
    default void aRowThatAnotherProcessPrunedIsMadeAgain(Rig rig) {
        isMadeAgain(1, rig);
    }

    @Test
    default void rowsThatAnotherProcessPrunedAreMadeAgain(Rig rig) {
        isMadeAgain(3, rig);
    }

    /** A process has met the row, and another one prunes it. */
    private void isMadeAgain(int gates, Rig rig) {
        assumeTrue(isDurable(), "two processes on one store");
        rig.policy("gate tenant:*", "concurrency 1").policy("queue q*", "concurrency 9");
        ScriptedWorker worker = rig.worker("q");
        List<String> names = new ArrayList<>();
        for (int i = 0; i < gates; i++) {
            names.add("tenant:" + i);
            runOne(rig, worker, names.getLast());
        }
        rig.advance(Duration.ofDays(1));
        try (JobStore elsewhere = new JobStore(reopen(rig.time()))) {
            assertThat(elsewhere.pruneGates()).isEqualTo(gates + 1);
        }
        List<JobId> ids = new ArrayList<>();
        for (String name : names) {
            ids.addAll(rig.enqueue(job("q").gate(name), job("q").gate(name)));
        }
        assertThat(worker.claim(99)).as("one of each").hasSize(gates);
        worker.finishAll();
        assertThat(worker.claim(99)).hasSize(gates);
        worker.finishAll();
        assertThat(ids).allMatch(id -> rig.status(id).state().isTerminal());
        assertThat(rig.leases("gate tenant:0")).isZero();
    }
}
