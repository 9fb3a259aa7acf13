package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.internal.operate.PruneGates;
import dev.headgate.internal.policy.PolicyRequest;
import dev.headgate.internal.resource.ProfileLearner.Declared;
import dev.headgate.internal.resource.ResourceStore;
import dev.headgate.internal.workflow.RunStore;
import dev.headgate.job.JobId;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.policy.PolicyEdit;
import dev.headgate.policy.PolicyVersion;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.resource.Needs;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is noted of policies, job types, workflows and shares does not grow without end, and what is needed stays. */
public interface PruneRecordsContract extends StoreFixture {
    Duration KEPT = Duration.ofDays(90);

    private static int versions(Rig rig) {
        return rig.store()
                .policyStore()
                .history(Long.MAX_VALUE, Integer.MAX_VALUE)
                .size();
    }

    private static void toggle(Rig rig, String gate, int times) {
        for (int i = 0; i < times; i++) {
            rig.policy(gate, "concurrency " + (i + 1));
        }
    }

    @Test
    default void aThousandVersionsOrNinetyDaysCanBeRestored(Rig rig) {
        toggle(rig, "gate a", 40);
        rig.advance(KEPT.plusDays(1));
        assertThat(rig.store().pruneRecords()).as("fewer than are kept anyway").isZero();
        toggle(rig, "gate b", 1_000);
        assertThat(rig.store().pruneRecords())
                .as("all but the latest of each name")
                .isEqualTo(39);
        assertThat(versions(rig)).isEqualTo(1_001);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rig.store().policyStore().undo(39L, "ops", ""))
                .withMessageContaining("expected version 40 or a later one, got 39");
        rig.store().policyStore().undo(40L, "ops", "");
        assertThat(rig.store().policies().policyFor(GateKey.gate("b"))).isEqualTo(GatePolicy.OPEN);
        assertThat(rig.store().policies().policyFor(GateKey.gate("a")).text()).isEqualTo("concurrency 40");
    }

    @Test
    default void thatAPolicyWasTakenAwayCountsForAYear(Rig rig) {
        rig.policy("gate a", "concurrency 1").policy("gate a", "");
        rig.advance(KEPT.plusDays(1));
        toggle(rig, "gate b", 1_000);
        rig.store().pruneRecords();
        PolicyRequest suggestion = PolicyRequest.of(
                GateKey.gate("a"), new PolicyEdit.Suggest(GatePolicy.parse("concurrency 7")), "program", "");
        assertThat(rig.store().changePolicies(suggestion)).isEmpty();
        rig.advance(Duration.ofDays(300));
        toggle(rig, "gate b", 1_000);
        rig.store().pruneRecords();
        PolicyVersion latest = rig.store().policyStore().latestOf(GateKey.gate("a"));
        assertThat(latest).isNull();
        assertThat(rig.store().changePolicies(suggestion)).hasSize(1);
    }

    @Test
    default void whatIsKnownOfAJobTypeGoesWhenItIsNotSeenAnyMore(Rig rig) {
        ResourceStore room = new ResourceStore(rig.store().backend());
        room.declare(Map.of("old", new Declared(Needs.parse("memory=1000"), null)));
        rig.advance(Duration.ofDays(60));
        room.declare(Map.of("new", new Declared(Needs.parse("memory=1000"), null)));
        rig.advance(Duration.ofDays(31));
        assertThat(rig.store().pruneRecords()).isEqualTo(1);
        assertThat(room.types()).hasSize(1);
        room.declare(Map.of("new", new Declared(Needs.parse("memory=1000"), null)));
        rig.advance(Duration.ofDays(80));
        assertThat(rig.store().pruneRecords()).as("declared again").isZero();
    }

    @Test
    default void olderVersionsOfAWorkflowGoWhenTheyHaveNoRun(Rig rig) {
        RunStore runs = new RunStore(rig.store().backend());
        for (int version = 1; version <= 5; version++) {
            runs.define("ship", version, "q\n\na\na");
        }
        runs.define("bill", 1, "q\n\na\na");
        assertThat(rig.store().pruneRecords()).isZero();
        rig.advance(KEPT.plusDays(1));
        assertThat(rig.store().pruneRecords()).isEqualTo(4);
        assertThat(runs.definitions(null)).hasSize(2);
    }

    /** Every share has one job, so all begin level and end one ahead, and none is ever level again. */
    @Test
    default void sharesThatWereSeenOnceAreForgotten(Rig rig) {
        rig.policy("queue q", "concurrency 5000; fair by t:*");
        ScriptedWorker worker = rig.worker("q");
        int many = PruneGates.SHARES_KEPT + 700;
        for (int i = 0; i < many; i++) {
            rig.enqueue(job("q").gate("t:" + i));
        }
        List<JobId> started;
        do {
            started = worker.claim(500);
            worker.finishAll();
        } while (!started.isEmpty());
        PruneGates gates = new PruneGates(rig.store().backend(), PruneGates.QUIET);
        assertThat(gates.trimShares()).isEqualTo(700);
        assertThat(gates.trimShares()).isZero();
        JobId next = rig.enqueue(job("q").gate("t:1"));
        assertThat(worker.claim(1)).containsExactly(next);
        worker.finishAll();
        assertThat(worker.claim(1)).isEmpty();
        rig.advance(Duration.ofDays(8));
        assertThat(rig.store().pruneGates()).as("a week later nothing is left").isEqualTo(many + 1);
        assertThat(gates.trimShares()).isZero();
        List<GateKey> shared = rig.store().backend().read(tx -> tx.shares().resources());
        assertThat(shared).isEmpty();
    }
}
