package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.headgate.internal.operate.PruneEnded;
import dev.headgate.internal.policy.PolicyRequest;
import dev.headgate.job.JobId;
import dev.headgate.limit.GateKey;
import dev.headgate.limit.GatePolicy;
import dev.headgate.limit.Retention;
import dev.headgate.policy.PolicyEdit;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How long what has ended is kept is a stored policy: one for all queues and one for each that differs. */
public interface RetentionContract extends StoreFixture {
    private static JobId run(Rig rig, String queue) {
        ScriptedWorker worker = rig.worker(queue);
        JobId id = rig.enqueue(job(queue));
        worker.claim(1);
        worker.finish(id);
        return id;
    }

    private static boolean isKept(Rig rig, JobId id) {
        return rig.store().find(id) != null;
    }

    private static void lengthen(Rig rig, String queue, Retention wish) {
        rig.store()
                .changePolicies(PolicyRequest.of(
                        GateKey.queue(queue), new PolicyEdit.Lengthen(wish), "worker w", "its retention"));
    }

    @Test
    default void eachQueueIsKeptAsItsPolicySays(Rig rig) {
        rig.policy("queue *", "retention 2d")
                .policy("queue audit", "concurrency 5; retention 365d")
                .policy("queue legal", "retention forever")
                .policy("queue noise", "retention 1h");
        JobId plain = run(rig, "plain");
        JobId audit = run(rig, "audit");
        JobId legal = run(rig, "legal");
        JobId noise = run(rig, "noise");
        PruneEnded ended = new PruneEnded(rig.store().backend());
        assertThat(ended.run()).isZero();
        assertThat(ended.shortest()).isEqualTo(Duration.ofHours(1));
        rig.advance(Duration.ofHours(2));
        assertThat(ended.run()).isEqualTo(1);
        assertThat(isKept(rig, noise)).isFalse();
        rig.advance(Duration.ofDays(2));
        JobId second = run(rig, "noise");
        assertThat(ended.run()).isEqualTo(1);
        assertThat(isKept(rig, plain)).isFalse();
        rig.advance(Duration.ofDays(364));
        assertThat(ended.run())
                .as("a pass that goes on where the last one ended")
                .isEqualTo(2);
        assertThat(List.of(isKept(rig, second), isKept(rig, audit), isKept(rig, legal)))
                .containsExactly(false, false, true);
    }

    @Test
    default void whatIsNotSaidIsSevenDays(Rig rig) {
        JobId id = run(rig, "q");
        PruneEnded ended = new PruneEnded(rig.store().backend());
        rig.advance(Duration.ofDays(7).minusMinutes(1));
        assertThat(ended.run()).isZero();
        rig.advance(Duration.ofMinutes(2));
        assertThat(ended.run()).isEqualTo(1);
        assertThat(isKept(rig, id)).isFalse();
    }

    @Test
    default void aWrongRetentionCanBeTakenBack(Rig rig) {
        rig.policy("queue *", "retention 30d");
        JobId id = run(rig, "q");
        rig.advance(Duration.ofDays(8));
        rig.policy("queue *", "retention 1s");
        rig.store().policyStore().undo(null, "ops", "too short");
        assertThat(new PruneEnded(rig.store().backend()).run()).isZero();
        assertThat(isKept(rig, id)).isTrue();
        assertThat(rig.store()
                        .policyStore()
                        .history(Long.MAX_VALUE, 10)
                        .getFirst()
                        .changes()
                        .getFirst()
                        .after()
                        .text())
                .isEqualTo("retention 30d");
    }

    @Test
    default void aWorkerLengthensAndNeverShortens(Rig rig) {
        rig.policy("queue *", "retention 10d").policy("queue b", "concurrency 3");
        lengthen(rig, "a", new Retention(Duration.ofDays(1)));
        assertThat(rig.store().policies().retentionFor("a")).isEqualTo(new Retention(Duration.ofDays(10)));
        lengthen(rig, "b", new Retention(Duration.ofDays(20)));
        lengthen(rig, "b", new Retention(Duration.ofDays(15)));
        assertThat(rig.store().policies().entry(GateKey.queue("b")).text()).isEqualTo("concurrency 3; retention 20d");
        lengthen(rig, "b", Retention.FOREVER);
        assertThat(rig.store().policies().retentionFor("b")).isEqualTo(Retention.FOREVER);
        assertThat(rig.store().policies().retentionFor("other").text()).isEqualTo("10d");
    }

    @Test
    default void limitsAreChangedWithoutAThoughtOfIt(Rig rig) {
        GateKey mail = GateKey.queue("mail");
        lengthen(rig, "mail", new Retention(Duration.ofDays(90)));
        lengthen(rig, "mail", new Retention(Duration.ofDays(100)));
        PolicyEdit declared = new PolicyEdit.Declare(GatePolicy.parse("concurrency 5"));
        rig.store().changePolicies(PolicyRequest.of(mail, declared, "program", ""));
        assertThat(rig.store().changePolicies(PolicyRequest.of(mail, declared, "program", "")))
                .isEmpty();
        rig.policy("queue mail", "concurrency 6");
        assertThat(rig.store().policies().entry(mail).text()).isEqualTo("concurrency 6; retention 100d");
        rig.policy("queue mail", "concurrency 6; retention 8d");
        assertThat(rig.store().policies().retentionFor("mail").text()).isEqualTo("8d");
    }

    /** It says nothing of limits, so what does goes on deciding. */
    @Test
    default void aRetentionAloneHidesNoLimit(Rig rig) {
        rig.policy("queue m*", "concurrency 1")
                .policy("queue mail", "retention 30d")
                .policy("queue *", "retention 3d");
        ScriptedWorker worker = rig.worker("mail", "other");
        rig.enqueue(3, job("mail"));
        rig.enqueue(3, job("other"));
        assertThat(worker.claim(9)).as("one of mail, all of the other").hasSize(4);
        assertThat(rig.store().policies().isCounted(GateKey.queue("other"))).isFalse();
    }

    @Test
    default void itIsSaidOfOneQueueOrOfAll(Rig rig) {
        for (String name : List.of("gate api", "gate *", "queue mail-*")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> rig.policy(name, "retention 3d"))
                    .withMessageContaining("expected the name of one queue, or queue * for all");
        }
    }
}
