package dev.headgate.proof.contract;

import static dev.headgate.proof.Jobs.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.headgate.internal.policy.PolicyRequest;
import dev.headgate.job.JobId;
import dev.headgate.job.JobState;
import dev.headgate.limit.GatePolicy;
import dev.headgate.policy.PolicyChange.Kind;
import dev.headgate.policy.PolicyEdit;
import dev.headgate.proof.Rig;
import dev.headgate.proof.ScriptedWorker;
import dev.headgate.proof.StoreFixture;
import dev.headgate.testkit.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An override holds until its end, by the store's clock, and then what is stored is back, exactly. */
public interface OverrideContract extends StoreFixture {
    Duration HOUR = Duration.ofHours(1);

    private static void override(Rig rig, String key, String limits, Duration span) {
        change(rig, key, new PolicyEdit.OverrideFor(GatePolicy.parse(limits), span));
    }

    private static void change(Rig rig, String key, PolicyEdit edit) {
        rig.store().changePolicies(PolicyRequest.of(Rig.key(key), edit, "ada", ""));
    }

    @Test
    default void itReplacesTheStoredLimitsUntilItsEnd(Rig rig) {
        rig.policy("gate a", "concurrency 3");
        rig.enqueue(9, job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        override(rig, "gate a", "concurrency 1", HOUR);
        assertThat(worker.claim(9)).hasSize(1);
        rig.advance(HOUR.minusNanos(1_000));
        assertThat(worker.claim(9)).isEmpty();
        rig.advance(Duration.ofNanos(1_000));
        assertThat(worker.claim(9)).hasSize(2);
        assertThat(rig.store().policies().entry(Rig.key("gate a")).text()).isEqualTo("concurrency 3");
    }

    @Test
    default void theEndIsAVersionThatWakesTheLine(Rig rig) {
        rig.policy("gate a", "concurrency 3");
        rig.enqueue(3, job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        override(rig, "gate a", "concurrency 1", HOUR);
        assertThat(worker.claim(9)).hasSize(1);
        assertThat(worker.sleep()).isEqualTo(HOUR);
        rig.advance(HOUR);
        assertThat(worker.claim(9)).hasSize(2);
        var latest = rig.store().policyStore().history(Long.MAX_VALUE, 1).getFirst();
        assertThat(latest.version()).isEqualTo(3);
        assertThat(latest.author()).isEqualTo("headgate");
        assertThat(latest.changes().getFirst().kind()).isEqualTo(Kind.ENDED);
        assertThat(worker.claim(9)).isEmpty();
        assertThat(rig.store().policies().version()).isEqualTo(3);
    }

    @Test
    default void itEndsWhileNoProcessRuns(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        override(rig, "gate a", "concurrency 5", HOUR);
        rig.enqueue(9, job("mail").gate("a"));
        rig.time().advance(HOUR);
        rig.reopenedAs(reopen(rig.time()));
        assertThat(rig.worker("mail").claim(9)).hasSize(1);
    }

    @Test
    default void jobsStartedUnderAWiderOverrideCountWhenItEnds(Rig rig) {
        rig.policy("gate a", "concurrency 1");
        override(rig, "gate a", "concurrency 5", HOUR);
        List<JobId> ids = rig.enqueue(9, job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(9)).hasSize(5);
        rig.advance(HOUR);
        worker.finish(ids.getFirst());
        assertThat(worker.claim(9)).isEmpty();
        assertThat(rig.leases("gate a")).isEqualTo(4);
    }

    @Test
    default void aQueueIsCountedAlsoWhileItsLimitsAreLifted(Rig rig) {
        rig.policy("queue mail", "concurrency 2");
        change(rig, "queue mail", new PolicyEdit.OverrideFor(GatePolicy.OPEN, HOUR));
        rig.enqueue(9, job("mail"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(5)).hasSize(5);
        rig.advance(HOUR);
        assertThat(worker.claim(4)).isEmpty();
        worker.finish(worker.holding().getFirst());
        assertThat(worker.claim(9)).isEmpty();
        assertThat(rig.leases("queue mail")).isEqualTo(4);
    }

    @Test
    default void aQueueWithoutLimitsIsCountedWhileAnOverrideGivesItSome(Rig rig) {
        rig.enqueue(9, job("mail"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(3)).hasSize(3);
        override(rig, "queue *", "concurrency 4", HOUR);
        assertThat(worker.claim(9)).hasSize(1);
        rig.advance(HOUR);
        assertThat(worker.claim(9)).hasSize(5);
        assertThat(rig.store().policies().entries()).isEmpty();
    }

    @Test
    default void anOverrideOfOneNameBeatsThePatternAndGivesWayToItAgain(Rig rig) {
        rig.policy("gate tenant:*", "concurrency 2");
        override(rig, "gate tenant:acme", "concurrency 4", HOUR);
        rig.enqueue(9, job("mail").gate("tenant:acme"));
        rig.enqueue(9, job("mail").gate("tenant:b"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(99)).hasSize(6);
        worker.finishAll();
        rig.advance(HOUR);
        assertThat(worker.claim(99)).hasSize(4);
    }

    @Test
    default void aLaterOverrideTakesThePlaceOfTheFirst(Rig rig) {
        rig.policy("gate a", "concurrency 9");
        override(rig, "gate a", "concurrency 1", HOUR);
        override(rig, "gate a", "concurrency 2", HOUR.multipliedBy(3));
        rig.enqueue(9, job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        rig.advance(HOUR);
        assertThat(worker.claim(9)).hasSize(2);
        change(rig, "gate a", new PolicyEdit.EndOverride());
        assertThat(worker.claim(9)).hasSize(7);
    }

    @Test
    default void lastingLimitsCanChangeBeneathAnOverride(Rig rig) {
        rig.policy("gate a", "concurrency 9");
        override(rig, "gate a", "concurrency 1", HOUR);
        rig.policy("gate a", "concurrency 2");
        rig.enqueue(9, job("mail").gate("a"));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(9)).hasSize(1);
        rig.advance(HOUR);
        assertThat(worker.claim(9)).hasSize(1);
    }

    @Test
    default void aJobThatOnlyTheOverrideRefusesIsBackWhenItEnds(Rig rig) {
        rig.policy("gate gpu", "budget 10");
        override(rig, "gate gpu", "budget 4", HOUR);
        JobId id = rig.enqueue(job("mail").gate("gpu").cost(5));
        ScriptedWorker worker = rig.worker("mail");
        assertThat(worker.claim(9)).isEmpty();
        assertThat(rig.state(id)).isEqualTo(JobState.PARKED);
        rig.advance(HOUR);
        assertThat(worker.claim(9)).containsExactly(id);
        assertThatThrownBy(() -> rig.enqueue(job("mail").gate("gpu").cost(11))).hasMessageContaining("can never pass");
    }

    @Test
    default void anOverrideIsShownWithItsEnd(Rig rig) {
        rig.policy("gate a", "concurrency 3");
        override(rig, "gate a", "concurrency 1", HOUR);
        Instant end = VirtualTime.START.plus(HOUR);
        JobId first = rig.enqueue(job("mail").gate("a"));
        JobId second = rig.enqueue(job("mail").gate("a"));
        assertThat(rig.worker("mail").claim(9)).containsExactly(first);
        assertThat(rig.gate("gate a").until()).isEqualTo(end);
        assertThat(rig.explain(second).summary()).contains("(concurrency 1, an override until %s)".formatted(end));
        rig.advance(HOUR);
        assertThat(rig.gate("gate a").until()).isNull();
        assertThat(rig.gate("gate a").policy()).isEqualTo("concurrency 3");
    }

    @Test
    default void anEndThatHasPassedIsRefused(Rig rig) {
        PolicyEdit late = new PolicyEdit.OverrideUntil(GatePolicy.parse("concurrency 1"), VirtualTime.START);
        assertThatThrownBy(() -> change(rig, "gate a", late))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected an end in the future");
        assertThat(rig.store().policies().version()).isZero();
    }

    @Test
    default void undoRestoresAnOverrideOnlyBeforeItsEnd(Rig rig) {
        rig.policy("gate a", "concurrency 3");
        override(rig, "gate a", "concurrency 1", HOUR);
        change(rig, "gate a", new PolicyEdit.EndOverride());
        rig.store().policyStore().undo(null, "ada", "");
        assertThat(rig.store().policies().policyFor(Rig.key("gate a")).text()).isEqualTo("concurrency 1");
        rig.advance(HOUR);
        assertThat(rig.worker("mail").claim(1)).isEmpty();
        rig.policy("gate a", "concurrency 9");
        rig.store().policyStore().undo(2L, "ada", "");
        assertThat(rig.store().policies().entry(Rig.key("gate a")).text()).isEqualTo("concurrency 3");
    }
}
